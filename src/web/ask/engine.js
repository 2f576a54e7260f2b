// engine.js: the library itself, as a WebAssembly module: maps without a service, the same bytes.
//
//   const engine = await start(module);          // a WebAssembly.Module
//   engine.estimate({ address: "/regions?seed=7" });  // { steps, bytes, nanoseconds }, or null
//   engine.make({ address: "/regions?seed=7" });      // { status, media, bytes }
//
// A question is { address, json, seed }: an address as the service takes it, more parameters as the
// text of a JSON object, and the seed where neither has one. A status other than 200 comes with the
// JSON of a problem. src/wasm/module.c is the other side.

import { toBytes, toText } from "./text.js";

const THROWN = Symbol("thrown"); // the exception that stands in for longjmp

/* Default limits of a map: memory in bytes, steps. `stop` is called now and then with the steps so
   far; true ends the map. */
const LIMITS = { memory: 512 * 2 ** 20, steps: 0, stop: () => false };

export async function start(module) {
    let machine,
        stop = LIMITS.stop;
    /* C's setjmp and longjmp by exceptions; the stack pointer is restored. */
    const host = {
        mw_catch(run, body, context) {
            const { __stack_pointer: stack, __indirect_function_table: table } = machine;
            const top = stack.value;
            try {
                table.get(body)(run, context);
                return 1;
            } catch (thrown) {
                if (thrown !== THROWN) throw thrown;
                stack.value = top;
                return 0;
            }
        },
        mw_throw() {
            throw THROWN;
        },
        mw_stop: (none, steps) => Number(Boolean(stop(Number(steps)))),
    };
    machine = (await WebAssembly.instantiate(module, { env: host })).exports;

    const view = (Kind, at, length) => new Kind(machine.memory.buffer, at, length);

    /* Three texts, each ended by a zero byte. */
    function write({ address, json = "", seed = "" }) {
        const texts = [address, json, seed].map((text) => `${text.replaceAll("\0", "%00")}\0`);
        const bytes = toBytes(texts.join(""));
        const at = machine.mw_room_for(bytes.length) >>> 0;
        if (!at) throw new RangeError("there is no memory for what is asked");
        view(Uint8Array, at, bytes.length).set(bytes);
    }
    function estimate(question) {
        write(question);
        const at = machine.mw_estimate_it() >>> 0;
        if (!at) return null;
        const [steps, bytes, nanoseconds] = Array.from(view(BigUint64Array, at, 3), Number);
        return { steps, bytes, nanoseconds };
    }
    function make(question, limits) {
        const given = { ...LIMITS, ...limits };
        write(question);
        stop = given.stop;
        const answer = machine.mw_make_it(given.memory, given.steps) >>> 0;
        if (!answer) throw new RangeError("there is no memory to begin with");
        const [at, length, media, status] = view(Uint32Array, answer, 4);
        const end = view(Uint8Array).indexOf(0, media);
        return {
            status,
            media: toText(view(Uint8Array, media, end - media)),
            bytes: view(Uint8Array, at, length).slice(),
        };
    }
    return { estimate, make, memory: () => machine.memory.buffer };
}
