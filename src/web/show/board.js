// board.js: path puzzles: a board to be played, or one with its solution.
//
// Tracks are drawn by dragging from an end, or by keys: arrows move a cursor, the space bar takes
// an end up and puts it down. The status line shows the progress, which the browser stores.
import { Play } from "./play.js";
import { keep, recall } from "./progress.js";
import { drawBoard } from "../draw/tracks.js";
import { count } from "./words.js";

const RULES = {
    flow: "every cell on a track",
    strict: "every cell on a track, and no track beside itself",
    classic: "cells may stay empty",
};

const PAUSE = 60_000; // milliseconds between strokes, of which no more count

/* 0:07, 12:30 */
const clock = (ms) =>
    `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`;

class Board {
    constructor(frame, { result, parameters, self }, before) {
        this.frame = frame;
        this.result = result;
        this.self = self;
        this.asked = parameters.count;
        this.playable = Boolean(result.solution);
        this.play = new Play(this.playable ? result.grid : parameters.grid, parameters.rule);
        this.box = { x0: 0, y0: 0, x1: this.play.width, y1: this.play.height };
        this.closest = 110;
        this.top = 54;
        this.kind = `board ${this.playable}`;
        this.role = this.playable ? "application" : "img";
        this.solution = this.play.labels.map((label) => this.solved(label));
        this.cursor = null;
        this.over = -1;
        this.hinted = null; // { cells, reason, draws: what a second press draws }
        if (this.playable) this.makePlayable(before);
        else this.showVerdict(result);
    }

    /* The hint of a solved board that was asked for with one. */
    showVerdict({ status, hint }) {
        if (hint) this.hinted = { cells: this.numbered(hint.cells) };
        this.frame.say(this.verdict(), status === "solved" && !hint ? "good" : "");
    }

    numbered(cells) {
        return cells.map(([x, y]) => y * this.play.width + x);
    }

    solved(label) {
        const path = this.result.paths.find((p) => p.label === label);
        return path ? this.numbered(path.cells) : [];
    }

    makePlayable(before) {
        const { hint, next } = this.frame.hooks;
        if (before?.playable && before.self === this.self)
            Object.assign(this, {
                ...{ play: before.play, given: before.given },
                ...{ spent: before.spent, since: before.since, hints: before.hints },
            });
        else this.restore(recall(this.self));
        this.wasDone = this.play.state().done;
        this.spent ??= 0; // milliseconds of playing
        this.buttons = [
            {
                name: "Undo",
                icon: "left",
                press: () => this.change(() => this.play.undo()),
                idle: () => !this.play.past.length,
            },
            {
                name: "Redo",
                icon: "right",
                press: () => this.change(() => this.play.redo()),
                idle: () => !this.play.future.length,
            },
            {
                name: "Clear",
                text: "Clear",
                press: () => this.change(() => this.play.clear()),
                idle: () => !this.play.tracks.some((t) => t.length),
            },
            hint && { name: "Hint", text: "Hint", press: () => this.hint() },
            {
                name: "Solve, then Tell the result",
                text: () => (this.won() ? "Tell" : "Solve"),
                press: () => (this.won() ? this.frame.hooks.copy?.(this.boast()) : this.solve()),
            },
            next && { name: "Next puzzle", text: "Next", press: next },
        ].filter(Boolean);
        this.tell();
    }

    restore(played) {
        if (played?.tracks.length !== this.play.labels.length) return;
        this.play.tracks = played.tracks;
        this.spent = played.spent ?? 0;
        this.hints = played.hints ?? 0;
        if (played.given) this.given = this.play.tracks;
    }

    keep() {
        const { tracks } = this.play;
        const any = tracks.some((track) => track.length);
        const { spent, hints } = this;
        keep(this.self, any ? { tracks, given: this.given === tracks, spent, hints } : null);
    }

    /* How hard it is: easy, effort 20. */
    get hard() {
        const { difficulty, effort } = this.result;
        const known = effort !== undefined && effort !== null;
        return [difficulty, known && `effort ${effort}`].filter(Boolean).join(", ");
    }

    describe() {
        const { play } = this;
        const { rule } = play;
        const pairs = count(play.labels.length, "pair");
        const how = this.hard && `${this.hard[0].toUpperCase()}${this.hard.slice(1)}. `;
        const what = `${how}A board of ${play.width} by ${play.height} cells with ${pairs} of ends; ${RULES[rule]}.`;
        return this.playable ? what : `${what} ${this.verdict()}.`;
    }

    get help() {
        return this.playable
            ? "Drag from an end to its like. Or move with the arrow keys; space takes an end up and puts it down; U undoes, R does it again, H gives a hint."
            : undefined;
    }

    verdict() {
        const { status, unique, solutions, hint } = this.result;
        if (hint) return `Hint: ${hint.reason}`;
        if (status === "unsolvable") return "There is no solution";
        if (solutions === "1" || unique) return "Solved: the only solution";
        if (solutions !== undefined)
            return `Solved: one of ${BigInt(solutions).toLocaleString("en")} solutions`;
        if (unique === undefined || this.asked === "first") return "Solved";
        return unique === null
            ? "Solved; whether there is another was not decided"
            : "Solved; there are others";
    }

    // ---- playing ----

    change(act) {
        this.hinted = null;
        act();
        this.tell();
        this.frame.showButtons?.();
        this.frame.redraw();
    }

    tell() {
        const { joined, left, touches, done } = this.play.state();
        const { labels, rule, stroke } = this.play;
        const given = this.given === this.play.tracks;
        const parts = [`${joined} of ${labels.length} joined`];
        if (left > 0 && rule !== "classic") parts.push(`${count(left, "cell")} left`);
        if (touches) parts.push("a track lies beside itself");
        this.time(done);
        const end = given ? "This is the solution" : `Solved in ${clock(this.spent)}`;
        this.frame.say(done ? end : parts.join(", "), done ? "good" : "");
        if (!stroke) this.keep();
        if (stroke || done === this.wasDone) return;
        this.wasDone = done;
        this.frame.hooks.onPlayed?.(done && !given);
    }

    /* The clock runs from the first stroke until the board is done; a pause of minutes is a pause.
     */
    time(done) {
        const now = performance.now();
        if (this.since !== undefined) this.spent += Math.min(now - this.since, PAUSE);
        const idle = done || !this.play.tracks.some((track) => track.length);
        this.since = idle ? undefined : now;
    }

    won() {
        return this.wasDone && this.given !== this.play.tracks;
    }

    /* The result, to be copied. */
    boast() {
        const { width, height } = this.play;
        const help = this.hints ? `with ${count(this.hints, "hint")}` : "without a hint";
        return `Mapwright ${width}×${height} (${this.hard}) in ${clock(this.spent)}, ${help}: ${location.href}`;
    }

    /* The first deduction, and why; a second press draws it. */
    async hint() {
        const { draws } = this.hinted ?? {};
        if (draws) return this.change(() => this.play.lay(...draws));
        const told = await this.frame.hooks.hint();
        if (this.frame.scene !== this) return;
        const cells = this.numbered(told?.cells ?? []);
        const known = !cells.length || this.play.joins(cells);
        const hint = known
            ? this.step()
            : { cells, reason: told.reason, draws: this.pathTo(cells) };
        this.change(() => {});
        this.hinted = hint;
        this.hints = (this.hints ?? 0) + 1;
        const row = Math.floor(Math.min(...hint.cells) / this.play.width);
        this.frame.say(hint.reason, "", this.frame.camera.screenY(row));
    }

    /* The path that cells lie on, from its end that is drawn or nearer up to them: [which, track].
     */
    pathTo(cells) {
        const which = this.solution.findIndex((way) => cells.some((cell) => way.includes(cell)));
        const way = this.solution[which];
        if (!way) return null;
        const reach = (one) => Math.max(...cells.map((cell) => one.indexOf(cell))) + 1;
        const ways = [way, way.toReversed()].sort((a, b) => reach(a) - reach(b));
        const begun = this.play.tracks[which][0];
        const best = ways.find(([end]) => end === begun) ?? ways[0];
        return [which, best.slice(0, reach(best))];
    }

    /* The next step of the solution after the cells drawn so far, or the cells that are wrong. */
    step() {
        const { tracks, labels } = this.play;
        const ways = this.solution.map((way, i) =>
            tracks[i].length && tracks[i][0] !== way[0] ? way.toReversed() : way,
        );
        const off = ways.map((way, i) => tracks[i].findIndex((cell, k) => cell !== way[k]));
        const wrong = off.findIndex((at) => at >= 0);
        if (wrong >= 0) {
            const track = tracks[wrong];
            const right = track.slice(0, off[wrong] > 1 ? off[wrong] : 0);
            const reason = `${labels[wrong]} goes elsewhere`;
            return { cells: [track[off[wrong]]], reason, draws: [wrong, right] };
        }
        const open = ways.findIndex((way, i) => tracks[i].length < way.length);
        if (open < 0) return { cells: [], reason: "Solved!" };
        const at = Math.max(tracks[open].length, 1);
        const draws = [open, ways[open].slice(0, at + 1)];
        return { cells: draws[1].slice(-2), reason: `${labels[open]} goes on here`, draws };
    }

    solve() {
        this.change(() => {
            this.play.set(this.solution.map((track) => [...track]));
            this.given = this.play.tracks;
        });
    }

    cellAt({ x, y }) {
        const { camera } = this.frame;
        const column = Math.floor(camera.planeX(x));
        const row = Math.floor(camera.planeY(y));
        const inside =
            column >= 0 && row >= 0 && column < this.play.width && row < this.play.height;
        return inside ? row * this.play.width + column : -1;
    }

    takes(at) {
        return this.playable && this.cellAt(at) >= 0;
    }

    grab(at, event) {
        if (!this.playable || event.button > 0) return null;
        const cell = this.cellAt(at);
        this.cursor = null;
        this.play.end();
        if (cell < 0 || this.play.owner(cell) < 0) return null;
        this.change(() => this.play.begin(cell));
        return {
            move: (to) => this.change(() => this.drawTo(to)),
            end: (cancelled) => this.change(() => this.play.end(cancelled)),
        };
    }

    drawTo(at) {
        const { camera } = this.frame;
        const clamp = (v, most) => Math.min(Math.max(Math.floor(v), 0), most - 1);
        const column = clamp(camera.planeX(at.x), this.play.width);
        const row = clamp(camera.planeY(at.y), this.play.height);
        this.play.reach(row * this.play.width + column);
    }

    key(event) {
        if (!this.playable) return false;
        const { width, height, stroke } = this.play;
        const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[
            event.key
        ];
        if (by && !event.shiftKey) return this.moveCursor(by, width, height);
        if (event.key === " " || event.key === "Enter") return this.pick();
        if (event.key === "Escape" && stroke) return (this.change(() => this.play.end(true)), true);
        const redo = /^[ry]$/i.test(event.key) || (/^z$/i.test(event.key) && event.shiftKey);
        if (redo) return (this.change(() => this.play.redo()), true);
        if (/^(u|z|Backspace)$/i.test(event.key))
            return (this.change(() => this.play.undo()), true);
        if (/^h$/i.test(event.key) && this.frame.hooks.hint) return (this.hint(), true);
        return false;
    }

    moveCursor([dx, dy], width, height) {
        const from = this.cursor ?? this.play.ends[0][0];
        const x = (from % width) + dx;
        const y = Math.floor(from / width) + dy;
        const stay = this.cursor === null && !this.play.stroke;
        const inside = x >= 0 && y >= 0 && x < width && y < height;
        const to = stay || !inside ? from : y * width + x;
        this.change(() => {
            if (!this.play.stroke || this.play.reach(to)) this.cursor = to;
        });
        this.frame.whisper(this.tellCell(this.cursor ?? from));
        return true;
    }

    pick() {
        this.cursor ??= this.play.ends[0][0];
        this.change(() => (this.play.stroke ? this.play.end() : this.play.begin(this.cursor)));
        this.frame.whisper(
            `${this.tellCell(this.cursor)}, ${this.play.stroke ? "taken up" : "put down"}`,
        );
        return true;
    }

    tellCell(cell) {
        const { play } = this;
        const sign = play.sign(cell);
        const owner = play.owner(cell);
        const track = owner >= 0 ? `track of ${play.labels[owner]}` : "empty";
        const what = sign === "#" ? "wall" : sign === "." ? track : `end of ${sign}`;
        return `row ${Math.floor(cell / play.width) + 1}, column ${(cell % play.width) + 1}: ${what}`;
    }

    point(at) {
        const cell = at ? this.cellAt(at) : -1;
        const drawn = (one) =>
            this.playable ? this.play.owner(one) : this.solution.findIndex((t) => t.includes(one));
        const owner = cell < 0 ? -1 : drawn(cell);
        this.over = owner;
        const label = this.play.labels[owner];
        const path = this.result.paths.find((p) => p.label === label);
        const text = this.playable || !path ? "" : `Path ${label}: ${count(path.length, "cell")}`;
        this.frame.canvas.style.cursor = this.playable && owner >= 0 ? "pointer" : "";
        return { key: owner, text };
    }

    // ---- drawing ----

    draw(context, view) {
        const { play, over, cursor, hinted } = this;
        const tracks = this.playable ? play.tracks : this.solution;
        const touches = this.playable ? play.touches() : [];
        drawBoard(context, view, this.frame.colors, {
            play,
            tracks,
            touches,
            over,
            cursor,
            hinted: hinted?.cells ?? [],
        });
    }
}

export const board = {
    fits: ({ result }) => Boolean(result.grid && result.paths),
    make: (frame, answer, before) => new Board(frame, answer, before),
};
