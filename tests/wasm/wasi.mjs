// wasi.mjs: as much of WASI as a program needs that only prints: for Node and browsers alike.
//
//   const { status, said } = await run(module, ["digest", "250"]);
//
// What the library has its host do stands here as well.

const THROWN = Symbol("thrown");
class Exit {
    constructor(status) {
        this.status = status;
    }
}

export async function run(module, words) {
    const said = [];
    let machine;
    const view = () => new DataView(machine.memory.buffer);
    const bytesOf = (word) => new TextEncoder().encode(`${word}\0`);
    const wasi = {
        args_sizes_get(count, size) {
            view().setUint32(count, words.length, true);
            view().setUint32(
                size,
                words.map((word) => bytesOf(word).length).reduce((a, b) => a + b),
                true,
            );
            return 0;
        },
        args_get(list, at) {
            words.map(bytesOf).forEach((bytes, i) => {
                view().setUint32(list + 4 * i, at, true);
                new Uint8Array(machine.memory.buffer).set(bytes, at);
                at += bytes.length;
            });
            return 0;
        },
        fd_write(fd, list, count, written) {
            let sum = 0;
            for (let i = 0; i < count; i++) {
                const [at, length] = [0, 4].map((k) => view().getUint32(list + 8 * i + k, true));
                const bytes = new Uint8Array(machine.memory.buffer, at, length);
                said.push(new TextDecoder().decode(bytes));
                sum += length;
            }
            view().setUint32(written, sum, true);
            return 0;
        },
        proc_exit(status) {
            throw new Exit(status);
        },
        fd_close: () => 0,
        fd_seek: () => 0,
        fd_fdstat_get: () => 0,
    };
    const env = {
        mw_catch(run, body, context) {
            const top = machine.__stack_pointer.value;
            try {
                machine.__indirect_function_table.get(body)(run, context);
                return 1;
            } catch (thrown) {
                if (thrown !== THROWN) throw thrown;
                machine.__stack_pointer.value = top;
                return 0;
            }
        },
        mw_throw() {
            throw THROWN;
        },
    };
    machine = (await WebAssembly.instantiate(module, { env, wasi_snapshot_preview1: wasi }))
        .exports;
    let status = 0;
    try {
        machine._start();
    } catch (thrown) {
        if (!(thrown instanceof Exit)) throw thrown;
        status = thrown.status;
    }
    return { status, said: said.join("") };
}
