// Neo4j's own parser of Cypher and its checks of what names mean: prints what they complain of.
const { lintCypherQuery } = require("@neo4j-cypher/language-support");

const text = require("fs").readFileSync(0, "utf8");
Promise.resolve(lintCypherQuery(text, {})).then(({ diagnostics }) => {
  console.log(JSON.stringify(diagnostics.map((each) => each.message)));
});
