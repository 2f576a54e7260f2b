// gestures.js: mouse, fingers, wheel and keys move the camera, or are passed to the scene.
//
// One pointer is the scene's if it takes it (`scene.grab`), else it moves the map. A second finger
// ends that, and the two move and zoom. The thing under a resting pointer or a tap is described.

const TAP = 6; // pixels that a tap may stray
const STEP = 1.5; // of a zoom by button or key

function place(canvas, event) {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function panning(frame) {
    return { move: (at, by) => frame.camera.pan(by.x, by.y), end() {} };
}

function between(pointers) {
    const [a, b] = [...pointers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) };
}

function trackPointers(canvas, frame) {
    const pointers = new Map();
    let hold = null;
    let strayed = 0;

    function down(event) {
        if (event.button > 1) return;
        canvas.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, place(canvas, event));
        frame.point(null);
        hold?.end(true);
        hold = null;
        strayed = pointers.size > 1 ? Infinity : 0;
        if (pointers.size === 1)
            hold = frame.scene.grab?.(place(canvas, event), event) ?? panning(frame);
        if (event.button === 1) event.preventDefault();
    }

    function pinch(event, at) {
        const before = between(pointers);
        pointers.set(event.pointerId, at);
        const now = between(pointers);
        frame.camera.pan(now.x - before.x, now.y - before.y);
        if (before.apart > 0) frame.camera.zoom(now.apart / before.apart, now.x, now.y);
        frame.moved();
    }

    function move(event) {
        const at = place(canvas, event);
        const before = pointers.get(event.pointerId);
        if (!before) return frame.point(event.pointerType === "touch" ? null : at);
        if (pointers.size === 2) return pinch(event, at);
        pointers.set(event.pointerId, at);
        const by = { x: at.x - before.x, y: at.y - before.y };
        strayed += Math.abs(by.x) + Math.abs(by.y);
        if (!hold || (by.x === 0 && by.y === 0)) return;
        hold.move(at, by, event);
        frame.moved();
    }

    function up(event) {
        if (!pointers.delete(event.pointerId)) return;
        hold?.end(event.type === "pointercancel");
        hold = null;
        if (event.type === "pointerup" && strayed <= TAP) frame.point(place(canvas, event));
        frame.redraw();
    }

    canvas.addEventListener("pointerdown", down);
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener(
        "pointerleave",
        (event) => event.pointerType === "touch" || pointers.size || frame.point(null),
    );
}

function trackWheel(canvas, frame) {
    canvas.addEventListener(
        "wheel",
        (event) => {
            event.preventDefault();
            const lines = event.deltaMode === 1 ? 16 : 1;
            const speed = event.ctrlKey ? 0.01 : 0.0015;
            const at = place(canvas, event);
            frame.camera.zoom(Math.exp(-event.deltaY * lines * speed), at.x, at.y);
            frame.moved();
        },
        { passive: false },
    );
    canvas.addEventListener("dblclick", (event) => {
        const at = place(canvas, event);
        if (frame.scene.takes?.(at)) return;
        frame.glide((share) => frame.camera.zoom((event.shiftKey ? 0.5 : 2) ** share, at.x, at.y));
    });
}

/* The keys that every view has. */
export function steer(frame, key) {
    const by = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
    if (by) frame.glide((share) => frame.camera.pan(by[0] * 80 * share, by[1] * 80 * share));
    else if (key === "+" || key === "=") frame.glide((share) => frame.camera.zoom(STEP ** share));
    else if (key === "-" || key === "_") frame.glide((share) => frame.camera.zoom(STEP ** -share));
    else if (key === "0") frame.fit();
    else return false;
    return true;
}

export function gestures(canvas, frame) {
    trackPointers(canvas, frame);
    trackWheel(canvas, frame);
    canvas.addEventListener("keydown", (event) => {
        if (event.altKey || event.metaKey || (event.ctrlKey && !/^[zy]$/i.test(event.key))) return;
        const known =
            frame.scene.key?.(event) ||
            (!event.ctrlKey && !event.shiftKey && frame.walk(event.key)) ||
            (!event.ctrlKey && steer(frame, event.key));
        if (known) event.preventDefault();
    });
}
