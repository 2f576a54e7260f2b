// reader.js: has answers read by a worker, one at a time.
const begin = () => new Worker(new URL("worker.js", import.meta.url), { type: "module" });

let worker = begin(); // at once, as it takes its time to load

/* The bytes of an answer, which are given away, as { answer, json }. Who loses interest ends the
   worker: a large one keeps it busy for seconds. */
export function readAnswer(bytes, signal) {
    const { promise, resolve, reject } = Promise.withResolvers();
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message || "the answer cannot be read"));
    const stop = () => {
        worker.terminate();
        worker = begin();
        reject(signal.reason);
    };
    signal.addEventListener("abort", stop);
    worker.postMessage(bytes, [bytes]);
    return promise.finally(() => signal.removeEventListener("abort", stop));
}
