// isles.js: islands in the sky, as a world that can be turned and as a plan.
import { drawFlag, flagLetter } from "../draw/flags.js";
import { Ground } from "../draw/ground.js";
import { Lattice } from "../draw/lattice.js";
import { writeNames } from "../draw/letters.js";
import { mix } from "../draw/palette.js";
import { Voxels } from "../draw/voxels.js";
import { World } from "../draw/world.js";
import { count, range, sum } from "./words.js";

const PLAN = 1 << 16; // cells from which on a world is a plan alone
const NAMES = 500; // islands up to which names are written
const TURN = Math.PI / 8;
const TILT = 0.15;

class Isles {
    constructor(frame, { result }, before) {
        this.frame = frame;
        this.result = result;
        this.world = World.revive(result.world);
        this.large = result.width * result.height > PLAN;
        this.flat = this.large || (before instanceof Isles && before.flat && !before.large);
        this.voxels = new Voxels(this.world, before?.voxels);
        this.lit = 0;
        this.closest = 110;
        this.top = 40; // for a flag on the farthest cell
        this.layPlan(frame.colors);
        const turns = [
            { name: "Turn left", icon: "left", press: () => this.turn(TURN) },
            { name: "Turn right", icon: "right", press: () => this.turn(-TURN) },
        ].map((button) => ({ ...button, idle: () => this.flat }));
        this.buttons = [
            ...turns,
            {
                name: this.large ? "Too large for three dimensions" : "In three dimensions",
                icon: "cube",
                press: () => this.flip(),
                on: () => !this.flat,
                idle: () => this.large,
            },
        ];
    }

    get kind() {
        return this.flat ? "isles plan" : "isles";
    }
    get box() {
        return this.flat ? this.lattice.box : this.voxels.box;
    }

    get help() {
        return "Arrow keys go from island to island. Drag to turn, with shift or two fingers to move. Q and E turn, page up and down tilt, plus and minus zoom.";
    }

    layPlan(colors) {
        const { world } = this;
        const { ids, heights, tints } = world;
        const { deck, layers, tops } = colors.land;
        this.lattice = new Lattice(world.width, world.height, "square", "none");
        const tone = (cell) => tints[ids[cell]] * layers.length + world.layer(heights[cell]);
        const air = mix(colors.sky[0], colors.sky[1], 0.6);
        this.ground = new Ground({
            lattice: this.lattice,
            labels: ids,
            count: this.result.islands.length,
            covered: sum(this.result.islands.map(({ size }) => size)),
            tones: [air, deck[0], ...tops.flat().map(([top]) => top)],
            tone: (cell) => (ids[cell] > 0 ? tone(cell) + 2 : -ids[cell]),
            outside: mix(air, colors.back, 0.55),
            border: colors.border,
            net: colors.net,
            seam: colors.seam,
            glow: mix(layers[1][0], "#ffffff", 0.55),
        });
    }

    describe() {
        const { width, height, bridges, islands, start, end, route } = this.result;
        const what = `${count(islands.length, "island")} in a sky of ${width} by ${height}`;
        const joined = `${count(bridges, "bridge")}, ${range(islands.map(({ size }) => size))}`;
        const steps = (route ?? []).length - 1;
        const way = `The way from island ${start} to island ${end} takes ${count(steps, "bridge")}.`;
        return `${what}, ${joined}.${steps > 0 ? ` ${way}` : ""}`;
    }

    draw(context, view) {
        const flags = this.flat
            ? this.drawPlan(context, view)
            : this.voxels.draw(context, view, this.frame.colors, this.lit);
        this.drawNames(context, view.camera, flags);
    }

    drawPlan(context, view) {
        const { camera } = view;
        this.ground.draw(context, view, this.lit);
        this.drawRoute(context, camera);
        const letter = flagLetter(this.world, camera);
        return this.world.flags.map(([cell, kind]) =>
            drawFlag(context, camera, this.pixelOf(cell), letter, kind, this.frame.colors),
        );
    }

    /* Where the middle of a cell is on the plan, in pixels. */
    pixelOf(cell) {
        const { width } = this.world;
        const { camera } = this.frame;
        const [x, y] = [(cell % width) + 0.5, Math.floor(cell / width) + 0.5];
        return [camera.screenX(x), camera.screenY(y)];
    }

    drawRoute(context, camera) {
        context.beginPath();
        this.world.way.forEach((cell, i) =>
            context[i ? "lineTo" : "moveTo"](...this.pixelOf(cell)),
        );
        context.lineCap = context.lineJoin = "round";
        context.lineWidth = Math.min(Math.max(camera.scale * 0.26, 1.5), 12);
        context.strokeStyle = this.frame.colors.land.litDeck[0];
        context.stroke();
    }

    /* Below the middle of each island, as high as there is room for. */
    drawNames(context, camera, flags) {
        const { islands, width, height } = this.result;
        const { text, textHalo } = this.frame.colors;
        const apart = Math.sqrt((width * height) / islands.length) * camera.scale;
        const letter = Math.min(flagLetter(this.world, camera), apart / 5);
        if (!islands[0]?.name || islands.length > NAMES || letter < 6) return;
        const places = islands.map(({ name, center: [cx, cy] }) => {
            const { x, y } = this.placeOf(cx, cy);
            return { name, x: camera.screenX(x), y: camera.screenY(y), mark: 0, ink: text };
        });
        writeNames(context, places, letter, textHalo, flags);
    }

    // ---- turning ----

    flip() {
        if (this.large) return;
        this.flat = !this.flat;
        this.frame.aim();
        this.frame.redraw();
    }

    turn(by, tilt = 0) {
        if (this.flat) return;
        this.frame.glide(
            (share) => this.voxels.turn(this.frame.camera, by * share, tilt * share),
            260,
        );
    }

    grab(at, event) {
        if (this.flat || event.shiftKey || event.button === 1) return null;
        return {
            move: (to, by) => this.voxels.turn(this.frame.camera, -by.x * 0.008, by.y * 0.006),
            end() {},
        };
    }

    key(event) {
        const by = { q: [TURN, 0], e: [-TURN, 0], pageup: [0, TILT], pagedown: [0, -TILT] }[
            event.key.toLowerCase()
        ];
        if (by) this.turn(...by);
        return Boolean(by);
    }

    fitted() {
        this.voxels.reset();
    }

    // ---- under the pointer, and walked to ----

    get things() {
        const { islands } = this.result;
        return {
            count: islands.length,
            place: (i) => this.placeOf(...islands[i].center),
            beside: (i) => islands[i].neighbors.map((id) => id - 1),
            light: (i) => (this.lit = i + 1),
            tell: (i) => this.tell(islands[i]),
        };
    }

    placeOf(x, y) {
        if (this.flat) return { x: x + 0.5, y: y + 0.5 };
        return this.voxels.placeOf(y * this.world.width + x);
    }

    point(at) {
        const cell = at ? this.cellAt(at) : -1;
        const id = cell < 0 ? 0 : this.world.ids[cell];
        this.lit = Math.max(id, 0);
        if (!id) return null;
        const here = `cell ${cell % this.world.width}, ${Math.floor(cell / this.world.width)}`;
        if (id < 0) return { key: id, text: `Bridge\n${here}` };
        const layers = count(this.world.heights[cell], "layer");
        return { key: id, text: `${this.tell(this.result.islands[id - 1])}\n${here}, ${layers}` };
    }

    cellAt({ x, y }) {
        const { camera } = this.frame;
        if (!this.flat) return this.voxels.pick(camera.planeX(x), camera.planeY(y));
        return this.lattice.index(...this.lattice.at(camera.planeX(x), camera.planeY(y)));
    }

    /* The part of an island in the way. */
    partOf(id) {
        const { start, end, route } = this.result;
        if (id === start) return ", the start";
        if (id === end) return ", the end";
        return route?.includes(id) ? ", on the way" : "";
    }

    tell({ id, name, size, neighbors }) {
        const bridges = neighbors.length === 1 ? "bridge" : "bridges";
        const joined = neighbors.length ? `\n${bridges} to ${neighbors.join(", ")}` : "";
        return `${name ?? `Island ${id}`}${this.partOf(id)}: ${count(size, "cell")}${joined}`;
    }
}

export const isles = {
    fits: ({ result }) => Boolean(result.world),
    make: (frame, answer, before) => new Isles(frame, answer, before),
};
