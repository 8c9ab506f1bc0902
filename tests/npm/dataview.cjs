// Dataview's own parser: reads a list of values of inline fields, prints as JSON the paths that each
// links to, or null where Dataview takes the value for text.
const module_ = require("module");
const load = module_._load;
const nothing = new Proxy(class {}, { get: (target, name) => target[name] ?? class {} });
module_._load = (name, ...more) => (name === "obsidian" ? nothing : load(name, ...more));

const { EXPRESSION } = require("obsidian-dataview");
const paths = (value) => (Array.isArray(value) ? value : [value]).map((each) => each && each.path);
const read = (value) => {
  const found = EXPRESSION.inlineField.parse(value);
  return found.status && paths(found.value).every(Boolean) ? paths(found.value) : null;
};
console.log(JSON.stringify(JSON.parse(require("fs").readFileSync(0, "utf8")).map(read)));
