// Graphviz itself, compiled for JavaScript: lays a graph out, prints its size in points as JSON.
import { readFileSync } from "node:fs";
import render from "@aduh95/viz.js/sync";

const svg = render(readFileSync(0, "utf8"), { engine: "dot", format: "svg" });
const [, wide, tall] = svg.match(/<svg width="([\d.]+)pt" height="([\d.]+)pt"/);
const boxes = (svg.match(/class="node"/g) || []).length;
console.log(JSON.stringify({ wide: Number(wide), tall: Number(tall), boxes }));
