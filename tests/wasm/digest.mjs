// digest.mjs: runs a program for WASI in Node: node tests/wasm/digest.mjs build/portable/wasm/digest.wasm [words ...]
//
// Here is also what the library needs of its host.
import { readFileSync } from "node:fs";
import { WASI } from "node:wasi";

const [file, ...words] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: ["digest", ...words], returnOnExit: true });
const THROWN = Symbol("thrown");

const env = {
    mw_catch(run, body, context) {
        const { __stack_pointer: stack, __indirect_function_table: functions } = instance.exports;
        const top = stack.value;
        try {
            functions.get(body)(run, context);
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
};
const imports = { env, wasi_snapshot_preview1: wasi.wasiImport };
const { instance } = await WebAssembly.instantiate(readFileSync(file), imports);
process.exitCode = wasi.start(instance);
