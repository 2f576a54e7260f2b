// frame.js: the frame of every view: a canvas that follows its host's size, buttons, a tip under
// the pointer, and a status line. The scene draws the picture:
//
//   scene = {
//       kind, box, closest, top?     the camera is kept between scenes of one kind and box
//       dark?                        the buttons are dark, whatever the page is
//       role, describe(), help?      for screen readers; how it is moved by keys
//       draw(context, view)          view: {width, height, ratio, camera, moving}
//       buttons                      [{name, icon or text, press(), on?(), idle?()}]
//       things?                      what arrow keys lead to: walk.js
//       point?(at)                   {key, text} of what is at a place of the screen; at is null when
//                                    nothing is
//       grab?(at, event)             takes a drag: {move(at, by, event), end(cancelled)}, or null
//       takes?(at)                   whether the scene handles a double click there
//       key?(event)                  whether the scene handled the key
//       end?()
//   }
import { Camera } from "./camera.js";
import { gestures, steer } from "./gestures.js";
import { icon } from "./icons.js";
import { theme } from "../draw/palette.js";
import { walk } from "./walk.js";

const REST = 140; // milliseconds after a movement until the picture is drawn at its best

const RING = 15; // pixels about what was walked to
const SIGHT = 70; // and from the rim, that it is in sight

const HELP =
    "Arrow keys go from one to the next, with shift they move the map; plus and minus zoom, 0 shows all of it.";

function element(parent, tag, name) {
    const made = document.createElement(tag);
    made.className = name;
    parent.append(made);
    return made;
}

export class Frame {
    constructor(host) {
        this.host = host;
        this.root = element(host, "div", "mw-view");
        this.canvas = element(this.root, "canvas", "mw-canvas");
        this.canvas.tabIndex = 0;
        this.status = element(this.root, "p", "mw-status");
        this.status.setAttribute("role", "status");
        this.spoken = element(this.root, "p", "mw-spoken");
        this.spoken.setAttribute("aria-live", "polite");
        this.tools = element(this.root, "div", "mw-tools");
        this.tip = element(this.root, "div", "mw-tip");
        this.tip.setAttribute("aria-hidden", "true");
        this.tip.hidden = true;
        this.context = this.canvas.getContext("2d", { alpha: false });
        this.watcher = new ResizeObserver(() => this.resize());
        this.watcher.observe(this.root);
        this.ending = new AbortController();
        this.watchDensity();
        gestures(this.canvas, this);
    }

    /* Follows the density of the pixels: each value needs its own media query. */
    watchDensity() {
        const query = matchMedia(`(resolution: ${globalThis.devicePixelRatio}dppx)`);
        const changed = () => {
            this.resize();
            this.watchDensity();
        };
        query.addEventListener("change", changed, { once: true, signal: this.ending.signal });
    }

    /* Another scene in the same frame: make(frame, the scene before). */
    stage(make, { dark, palette }) {
        const before = this.scene;
        const camera = this.camera;
        const place = before && [before.kind, JSON.stringify(before.box)];
        this.stop();
        before?.end?.();
        this.say("");
        this.colors = theme(dark, palette);
        this.pointed = this.walked = null;
        this.tip.hidden = true;
        this.scene = make(this, before);
        this.root.dataset.theme = this.scene.dark || dark ? "dark" : "light";
        this.layTools();
        this.aim();
        const alike = place?.[0] === this.scene.kind && place[1] === JSON.stringify(this.scene.box);
        if (alike) this.camera.follow(camera);
        const { things } = this.scene;
        this.canvas.setAttribute("role", this.scene.role ?? (things ? "application" : "img"));
        if (things) this.canvas.setAttribute("aria-roledescription", "map");
        else this.canvas.removeAttribute("aria-roledescription");
        this.canvas.setAttribute("aria-label", this.scene.describe());
        this.canvas.setAttribute("aria-description", this.scene.help ?? HELP);
        this.draw();
    }

    /* A camera for what the scene now shows. */
    aim() {
        const { box, closest, top } = this.scene;
        this.camera = new Camera(box, closest, { top });
        this.camera.resize(this.width, this.height, this.below);
    }

    /* The buttons stay, so that the focus does, with the actions of the new scene. */
    layTools() {
        const own = this.scene.buttons ?? [];
        const { next } = this.hooks;
        const common = [
            ...(next && !own.some(({ press }) => press === next)
                ? [{ name: "Another seed", icon: "dice", press: next }]
                : []),
            { name: "Zoom in", icon: "plus", press: () => steer(this, "+") },
            { name: "Zoom out", icon: "minus", press: () => steer(this, "-") },
            { name: "Whole map", icon: "whole", press: () => this.fit() },
        ];
        const groups = [own.filter((b) => b.text), [...own.filter((b) => b.icon), ...common]];
        const names = groups.flat().map(({ name }) => name);
        const known = names.join() === this.laid;
        if (!known) {
            this.laid = names.join();
            this.buttons = [];
            this.tools.replaceChildren(
                ...groups.filter((g) => g.length).map((group) => this.layGroup(group)),
            );
        }
        groups.flat().forEach((spec, i) => (this.buttons[i].spec = spec));
        this.showButtons();
        if (!known) this.measure();
    }

    layGroup(group) {
        const box = document.createElement("div");
        box.className = "mw-group";
        for (const { name, icon: sign } of group) {
            const one = { button: element(box, "button", "mw-button") };
            one.button.type = "button";
            one.button.title = name;
            if (sign) one.button.append(icon(sign));
            one.button.dataset.sign = sign ?? "";
            one.button.setAttribute("aria-label", name);
            one.button.addEventListener("click", () => {
                one.spec.press();
                this.showButtons();
            });
            this.buttons.push(one);
        }
        return box;
    }

    /* The state of buttons: pressed or not, enabled or not. */
    showButtons() {
        for (const { button, spec } of this.buttons) {
            const text = typeof spec.text === "function" ? spec.text() : spec.text;
            if (text && button.textContent !== text) button.textContent = text;
            if (spec.on) button.setAttribute("aria-pressed", String(spec.on()));
            if (spec.idle) button.setAttribute("aria-disabled", String(spec.idle()));
        }
    }

    /* Sizes that force a layout, so they are not read for each picture: the view, and the room for
       the buttons, which take two rows on small screens. */
    measure() {
        this.width = this.root.clientWidth;
        this.height = this.root.clientHeight;
        this.below = this.tools.offsetHeight + 22;
        this.density = globalThis.devicePixelRatio || 1;
    }

    resize() {
        const all = () => [this.width, this.height, this.below, this.density].join();
        const before = all();
        this.measure();
        if (!this.scene || all() === before) return;
        this.camera.resize(this.width, this.height, this.below);
        this.draw();
    }

    draw() {
        cancelAnimationFrame(this.due);
        this.due = 0;
        const [across, down] = [this.width, this.height].map((side) =>
            Math.max(1, Math.round(side * this.density)),
        );
        if (this.canvas.width !== across || this.canvas.height !== down)
            [this.canvas.width, this.canvas.height] = [across, down];
        const ratio = across / this.camera.width;
        this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
        this.scene.draw(this.context, {
            width: this.camera.width,
            height: this.camera.height,
            ratio,
            camera: this.camera,
            moving: Boolean(this.resting),
        });
        if (this.walked !== null) {
            this.drawRing();
            this.placeTip(this.walkedAt());
        }
    }

    /* A ring around the thing that was walked to, visible on any color. */
    drawRing() {
        const at = this.walkedAt();
        for (const [width, color] of [
            [5, this.colors.halo],
            [2.5, this.colors.ink],
        ]) {
            this.context.beginPath();
            this.context.arc(at.x, at.y, RING, 0, 7);
            this.context.setLineDash([]);
            this.context.lineWidth = width;
            this.context.strokeStyle = color;
            this.context.stroke();
        }
    }

    /* The picture on the screen, as a file. */
    picture() {
        this.draw();
        return new Promise((done) => this.canvas.toBlob(done));
    }

    redraw() {
        this.due ||= requestAnimationFrame(() => this.draw());
    }

    /* The camera has moved, and may go on: draw fast now and well when it rests. */
    moved() {
        clearTimeout(this.resting);
        this.root.dataset.moving = "";
        this.resting = setTimeout(() => this.rest(), REST);
        this.redraw();
    }

    rest() {
        this.resting = 0;
        delete this.root.dataset.moving;
        this.redraw();
    }

    fit() {
        this.camera.fit();
        this.scene.fitted?.();
        this.redraw();
    }

    get still() {
        return matchMedia("(prefers-reduced-motion: reduce)").matches;
    }

    /* Calls step(share) in shares that add up to one: at once, or softly. */
    glide(step, milliseconds = 160) {
        this.finish?.();
        if (this.still) return (step(1), this.redraw());
        let done = 0;
        let begun = null;
        const go = (now) => {
            begun ??= now;
            const t = Math.min((now - begun) / milliseconds, 1);
            const eased = t * (2 - t);
            step(eased - done);
            done = eased;
            this.moved();
            if (t < 1) this.gliding = requestAnimationFrame(go);
            else this.finish = null;
        };
        this.finish = () => {
            cancelAnimationFrame(this.gliding);
            this.finish = null;
            step(1 - done);
        };
        this.gliding = requestAnimationFrame(go);
    }

    /* On the screen. */
    walkedAt() {
        const { x, y } = this.scene.things.place(this.walked);
        return { x: this.camera.screenX(x), y: this.camera.screenY(y) };
    }

    /* Goes to the next thing: brings it into sight, marks and describes it. Returns whether the key
       is for that. */
    walk(key) {
        const { things } = this.scene;
        const to = things && walk(things, this.walked, key, this.camera);
        if (to === undefined) return false;
        if (to < 0) this.whisper("Nothing that way");
        if (to < 0) return true;
        this.point(null);
        this.walked = to;
        things.light(to);
        const at = this.walkedAt();
        const back = (v, size) =>
            Math.max(SIGHT - v, 0) + Math.min(Math.max(size, 2 * SIGHT) - SIGHT - v, 0);
        const by = [back(at.x, this.camera.width), back(at.y, this.camera.height)];
        if (by.some(Boolean)) this.camera.pan(...by);
        this.showTip(things.tell(to), this.walkedAt());
        this.whisper(things.tell(to).replaceAll("\n", ", "));
        this.redraw();
        return true;
    }

    /* The thing under the pointer: the scene marks it, the tip describes it. */
    point(at) {
        const found = this.scene.point?.(at) ?? null;
        if (found?.key !== this.pointed || this.walked !== null) this.redraw();
        this.pointed = found?.key;
        this.walked = null;
        this.tip.hidden = !found?.text;
        if (found?.text) this.showTip(found.text, at);
    }

    showTip(text, at) {
        this.tip.hidden = false;
        this.tip.textContent = text;
        this.placeTip(at);
    }

    placeTip(at) {
        const right = at.x + 16 + this.tip.offsetWidth > this.camera.width;
        const low = at.y + 18 + this.tip.offsetHeight > this.camera.height;
        this.tip.style.left = `${Math.max(4, right ? at.x - 12 - this.tip.offsetWidth : at.x + 14)}px`;
        this.tip.style.top = `${Math.max(4, low ? at.y - 10 - this.tip.offsetHeight : at.y + 16)}px`;
    }

    /* The status line; kind: "good" or "". It is above the picture, or below it if it would hide
       its subject, which begins so far down. */
    say(text, kind = "", y = Infinity) {
        const { status } = this;
        if (status.textContent !== text) status.textContent = text;
        status.dataset.kind = kind;
        status.style.inset = "";
        if (status.offsetTop + status.offsetHeight > y)
            status.style.inset = `auto auto ${this.below}px 12px`;
    }

    /* For screen readers. */
    whisper(text) {
        this.spoken.textContent = text;
    }

    stop() {
        cancelAnimationFrame(this.gliding);
        cancelAnimationFrame(this.due);
        clearTimeout(this.resting);
        delete this.root.dataset.moving;
        this.finish = null;
        this.resting = this.due = 0;
    }

    destroy() {
        this.stop();
        this.scene.end?.();
        this.watcher.disconnect();
        this.ending.abort();
        this.root.remove();
    }
}
