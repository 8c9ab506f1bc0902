// Argdown's own parser: reads Argdown, prints what it found as JSON.
const { ArgdownApplication, DataPlugin, ModelPlugin, ParserPlugin } = require("@argdown/core");

const application = new ArgdownApplication();
application.addPlugin(new ParserPlugin(), "parse");
application.addPlugin(new DataPlugin(), "model");
application.addPlugin(new ModelPlugin(), "model");
const input = require("fs").readFileSync(0, "utf8");
const found = application.run({ process: ["parse", "model"], input, logLevel: "error" });

const named = (end) => end.title || end.argumentTitle;
const texts = (thing) => thing.members.map((member) => member.text).filter(Boolean);
const map = (things, make) => Object.fromEntries(Object.values(things).map((t) => [t.title, make(t)]));
const problems = [...(found.parserErrors || []), ...(found.lexerErrors || [])];
console.log(
  JSON.stringify({
    errors: [...problems.map((each) => each.message), ...(found.exceptions || []).map(String)],
    statements: map(found.statements, (each) => ({ text: texts(each), tags: each.tags || [] })),
    arguments: map(found.arguments, (each) => ({
      text: texts(each),
      premises: (each.pcs || []).filter((part) => part.role === "premise").map(named),
      conclusion: (each.pcs || []).filter((part) => part.role !== "premise").map(named),
    })),
    relations: (found.relations || []).map((each) => [each.relationType, named(each.from), named(each.to)]),
  }),
);
