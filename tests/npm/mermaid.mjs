// Mermaid's own parser: reads a diagram, prints its kind, its boxes and its links as JSON.
import { readFileSync } from "node:fs";
import { JSDOM } from "jsdom";

const { window } = new JSDOM("");
Object.assign(globalThis, { window, document: window.document });
const { default: mermaid } = await import("mermaid");
mermaid.initialize({ maxEdges: 10000, maxTextSize: 10_000_000 });
const diagram = await mermaid.mermaidAPI.getDiagramFromText(readFileSync(0, "utf8"));
const boxes = [...diagram.db.getVertices().values()].map((each) => each.text);
const links = diagram.db.getEdges().map((each) => [each.start, each.end, each.text]);
console.log(JSON.stringify({ kind: diagram.type, boxes, links }));
