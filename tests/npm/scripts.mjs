// Of scripts by name: whether each is formatted, its lines, and its longest function.
import { text as readText } from "node:stream/consumers";
import * as prettier from "prettier";
import * as babel from "prettier/plugins/babel";

function* functionsIn(node, name = "") {
  if (!node || typeof node !== "object") return;
  const own = node.id?.name ?? node.key?.name ?? node.left?.property?.name ?? name;
  if (/Function|Method/.test(node.type ?? "")) yield [node.loc.end.line - node.loc.start.line + 1, own];
  for (const value of Object.values(node)) yield* functionsIn(value, own);
}
const { options, scripts } = JSON.parse(await readText(process.stdin));
const found = {};
for (const [name, text] of Object.entries(scripts)) {
  const isFormatted = await prettier.check(text, { ...options, parser: "babel" });
  const { program } = await babel.parsers.babel.parse(text, {});
  const functions = [...functionsIn(program)].sort(([one], [other]) => other - one);
  found[name] = { isFormatted, lines: text.split("\n").length - 1, longest: functions[0] };
}
console.log(JSON.stringify(found));
