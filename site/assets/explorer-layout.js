/* Where each box and link of the picture of a graph stands (explorer-picture.js): in the middle the way from an
   answer down to one statement and to its sources, on the sides what speaks for that statement and against it,
   the heaviest on top; for it on the side of the scale where the claim of the question holds. */
"use strict";
{
  const { make } = window.kg;
  const {
    FROM_HERE,
    THICKEST,
    countShown,
    sentenceOnEdge,
    describeReasons,
    describeSources,
    findEdge,
    readEnd,
    sidesOf,
    labelOfMore,
  } = window.kg.graphs;
  const SIDE_WIDTH = 430; // pixels of text in a box, at most
  const [MIDDLE_WIDTH, WIDE_MIDDLE] = [220, 560]; // the wide one where a side is empty
  const COLUMN_GAP = 76; // pixels from column to column, where the links run, with room for their words
  const SCALE_HEIGHT = 58; // of the answer's scale with its ends
  const [ROW_GAP, STEP_GAP, PADDING] = [8, 18, 7];
  const MAX_LINES = 3; // of words in a box, and in the middle one twice as many
  const MAX_SOURCES = 3;
  const FIRM = { size: 15, height: 20 }; // letters of what is stated
  const QUIET = { size: 13, height: 18 }; // of what is said of it
  const LARGE = { size: 18, height: 24 }; // and in the middle
  const ROOM_FOR_LINK = " "; // a line of a box, over which a link lies

  /* -- words ----------------------------------------------------------------------------------- */

  /* Pieces of a word that each fit into a line. */
  function cutWord(word, width, measure) {
    if (measure(word) <= width) return [word];
    let end = word.length - 1;
    while (end > 1 && measure(word.slice(0, end)) > width) end -= 1;
    return [word.slice(0, end), ...cutWord(word.slice(end), width, measure)];
  }
  function wrapText(text, width, measure, maxLines) {
    const lines = [""];
    for (const word of text.split(" ").flatMap((each) => cutWord(each, width, measure))) {
      const longer = `${lines.at(-1)} ${word}`.trim();
      if (lines.at(-1) && measure(longer) > width) lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    if (lines.length <= maxLines) return lines;
    let last = lines[maxLines - 1];
    while (measure(`${last}…`) > width) last = last.slice(0, -1);
    return [...lines.slice(0, maxLines - 1), `${last}…`];
  }
  const pen = make("canvas", {}).getContext("2d");
  const fontOf = ({ size }, family) => `${size}px ${family}`;
  function linesOf(text, width, font, family, maxLines) {
    pen.font = fontOf(font, family);
    return text ? wrapText(text, width, (part) => pen.measureText(part).width, maxLines) : [];
  }

  /* -- where boxes and links stand ------------------------------------------------------------- */

  /* Boxes with their lines of words, by id. `column` is -1, 0 or 1; a box leads to a statement (`picks`), a
     `page`, or more reasons on a side (`opens`). */
  class Layout {
    constructor(graph, width, family) {
      Object.assign(this, { graph, width, family, boxes: new Map(), links: [] });
    }

    /* The room of a side without reasons goes to the others; `centre` is the middle of all columns in use. */
    shareWidth(columns) {
      const empty = 2 - columns.length;
      const room = this.width - columns.length * (COLUMN_GAP + 2 * PADDING) - 4 * PADDING;
      const share = columns.length ? room / 2 : room;
      this.middleWidth = Math.floor(empty ? Math.min(WIDE_MIDDLE, share) : MIDDLE_WIDTH);
      const rest = Math.floor((room - this.middleWidth) / (columns.length || 1));
      this.sideWidth = Math.min(empty ? WIDE_MIDDLE : SIDE_WIDTH, rest);
      this.columnWidth = (this.middleWidth + this.sideWidth) / 2 + 2 * PADDING + COLUMN_GAP;
      const [column] = columns;
      this.centre =
        empty === 1 ? (column * (this.columnWidth + (this.sideWidth - this.middleWidth) / 2)) / 2 : 0;
    }

    makeBox(id, title, column, { maxLines = MAX_LINES, remarks = [], font = FIRM, ...more } = {}) {
      const width = column ? this.sideWidth : this.middleWidth;
      const firm = linesOf(title, width, font, this.family, maxLines);
      const quiet = remarks.flatMap((text) => linesOf(text, width, QUIET, this.family, 2 * MAX_LINES));
      const textHeight = firm.length * font.height + quiet.length * QUIET.height;
      const place = {
        column,
        width,
        x: column * this.columnWidth,
        textHeight,
        height: textHeight + 2 * PADDING,
      };
      return { id, lines: [...firm, ...quiet], firmLines: firm.length, font, ...place, ...more };
    }

    makeStatementBox(id, node, column, properties) {
      return this.makeBox(id, `${node.mark} ${node.label}`, column, {
        mark: node.mark,
        group: node.group,
        ...properties,
      });
    }

    /* Boxes below each other; gives where the next would begin. */
    stack(boxes, top) {
      for (const box of boxes) {
        box.y = top + box.height / 2;
        top += box.height + (box.column ? ROW_GAP : STEP_GAP);
        this.boxes.set(box.id, box);
      }
      return top;
    }

    /* The reasons on a side, each with its link; gives the foot of the last link. */
    addSide([side, column], node, way, isOpen, top) {
      const count = countShown(node[side].length, isOpen);
      const boxes = node[side].slice(0, count).map((edge, at) => {
        const reason = this.graph.nodes.get(edge.origin);
        const remarks = [
          way.includes(edge.origin) && FROM_HERE,
          describeSources(reason),
          edge.without ?? edge.loss,
        ];
        return this.makeStatementBox(`${side} ${at}`, reason, column, { edge, picks: edge.origin, remarks });
      });
      const bottom = this.stack(boxes, top);
      const rim = (width) => column * (width / 2 + PADDING);
      for (const { id, x, y, edge } of boxes) {
        this.links.push({ id, edge, from: [x - rim(this.sideWidth), y], to: [rim(this.middleWidth), y] });
      }
      const rest = node[side].length - count;
      if (rest)
        this.stack(
          [this.makeBox(`more ${side}`, labelOfMore(rest), column, { tone: "soft", opens: side })],
          bottom,
        );
      return boxes.length ? boxes.at(-1).y + THICKEST + PADDING : top;
    }

    /* The boxes at the sides stand beside the middle one, which is as high as they need: each link is
       level. */
    addMiddle(id, node, step, silentSides, [top, foot]) {
      const remarks = [
        node.word ?? node.standing,
        node.seen,
        describeReasons(node),
        step && sentenceOnEdge(step),
        ...silentSides.map(([, , title]) => `${title}: nothing recorded`),
      ];
      const box = this.makeStatementBox(id, node, 0, {
        maxLines: 2 * MAX_LINES,
        font: LARGE,
        page: node.page,
        remarks,
      });
      if (id === this.graph.answer && this.graph.bar !== undefined) {
        box.height += 2 * SCALE_HEIGHT; // its words stay in the middle
        box.scale = this.endsOfScale();
      }
      box.height = Math.max(box.height, foot - top);
      const sources = node.sources
        .slice(0, MAX_SOURCES)
        .map(({ name, label, page, paper }, at) =>
          this.makeBox(`source ${at}`, name, 0, { page, paper, remarks: [label, paper && ROOM_FOR_LINK] }),
        );
      this.stack([box, ...sources], top);
    }

    /* The lines of the answers at both ends, on the left first. */
    endsOfScale() {
      const { ends, isMirrored } = this.graph;
      const lines = ends.map((end) => linesOf(end, this.middleWidth / 2 - PADDING, QUIET, this.family, 2));
      return isMirrored ? lines.reverse() : lines;
    }

    addLinksDown(way) {
      const column = [...this.boxes.values()].filter(({ column }) => !column);
      column.slice(1).forEach((box, at) => {
        const above = column[at];
        const edge = findEdge(this.graph, way[at + 1], way[at], way[at - 1]);
        this.links.push({
          id: `down ${at + 1}`,
          edge,
          from: [0, box.y - box.height / 2],
          to: [0, above.y + above.height / 2],
        });
      });
    }

    fill(way, openSides) {
      const id = way.at(-1);
      const node = readEnd(this.graph, way);
      const sides = sidesOf(this.graph, id);
      this.shareWidth(sides.filter(([side]) => node[side].length).map(([, column]) => column));
      const steps = way
        .slice(0, -1)
        .map((step, at) =>
          this.makeStatementBox(`step ${at}`, this.graph.nodes.get(step), 0, { maxLines: 2, picks: step }),
        );
      const told = sides.filter(([side]) => node[side].length);
      const silent = told.length ? sides.filter(([side]) => !node[side].length) : [];
      const heads = told.map(([side, column, title, tone]) =>
        this.makeBox(`head ${side}`, title, column, { tone }),
      );
      const top = Math.max(this.stack(steps, 0), heads[0] ? heads[0].height + ROW_GAP : 0);
      for (const head of heads) this.stack([head], top - head.height - ROW_GAP);
      const feet = told.map((side) => this.addSide(side, node, way, openSides.has(side[0]), top));
      const step = findEdge(this.graph, ...way.slice(-3).reverse());
      this.addMiddle(id, node, step, silent, [top, Math.max(top, ...feet)]);
      this.addLinksDown(way);
      this.height =
        Math.max(...[...this.boxes.values()].map(({ y, height }) => y + height / 2)) + 2 * PADDING;
      return this;
    }
  }

  Object.assign(window.kg.graphs, { Layout, PADDING, QUIET, SCALE_HEIGHT, fontOf });
}
