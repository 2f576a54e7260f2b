// view.js: draws an answer of the service into an element.
//
//   const view = show(host, answer, {dark, palette, hooks});
//   view.describe();      // a sentence for screen readers
//   view.redraw();        // after the host's look has changed
//   view.picture();       // a promise of the picture on the screen, as a PNG
//   view.destroy();
//
// `host` is an empty element with a size and a position; `answer` the parsed JSON as digest.js
// makes it. Shown again on the same host, an answer replaces the one before; the camera stays where
// it is when the map is of the same kind and size, and a puzzle that is shown again keeps what was
// played. Which view it is follows from the shape of the result. `hooks`: next() to go on to
// another; of a puzzle onPlayed(done), hint() that promises {cells, reason}. Without one there is
// no button for it.
import { board } from "./board.js";
import { cells } from "./cells.js";
import { Frame } from "../frame/frame.js";
import { isles } from "./isles.js";
import { lanes } from "./lanes.js";
import { mask } from "./mask.js";

const VIEWS = [cells, isles, lanes, board];
const frames = new WeakMap();

export function show(host, answer, look = {}) {
    const view = answer.result && VIEWS.find(({ fits }) => fits(answer));
    if (!view) throw new TypeError(`no view draws what ${answer.generator ?? "this"} makes`);
    return stage(host, (frame, before) => view.make(frame, answer, before), look);
}

/* Paints a mask: { width, height, grid, wrap, rows or null }; hooks: painted(rows, or null where
   all is land) after each stroke, done(). */
export function paintMask(host, given, look) {
    return stage(host, (frame) => mask.make(frame, given), look);
}

function stage(host, make, { dark = false, palette, hooks = {} }) {
    const known = frames.get(host);
    const frame = known?.root.parentNode === host ? known : new Frame(host);
    frames.set(host, frame);
    frame.hooks = hooks;
    frame.stage(make, { dark, palette });
    return {
        describe: () => frame.scene.describe(),
        redraw: () => frame.redraw(),
        picture: () => frame.picture(),
        destroy() {
            frame.destroy();
            frames.delete(host);
        },
    };
}
