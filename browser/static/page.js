/** Stands before the page: whatever it would ask of a server goes to the worker, and the device keeps all files. */

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: "passline" });
const waiting = new Map();
let number = 0;

document.documentElement.dataset.alone = "";
worker.onerror = (event) => (document.documentElement.dataset.broken = event.message || "the worker did not start");
worker.onmessage = ({ data }) => {
  if (data.broken) document.documentElement.dataset.broken = data.broken;
  if (data.ready) {
    document.documentElement.dataset.ready = JSON.stringify(data.marks);
    // Only now: what the device keeps for later must not stand in the way of the first roll.
    const keep = () => navigator.serviceWorker?.register(new URL("./sw.js", import.meta.url));
    setTimeout(keep, 10_000);
  }
  waiting.get(data.id)?.(data);
};

/** Ask the worker; `heard` is called with each message of the answer. Returns how to stop listening. */
function ask(method, target, headers, body, heard) {
  const id = ++number;
  waiting.set(id, (data) => {
    if (data.done || data.error) waiting.delete(id);
    heard(data);
  });
  worker.postMessage({ id, method, target, headers, body });
  return () => worker.postMessage({ id, close: true });
}

const network = window.fetch.bind(window);

/** The service is asked by paths that begin at the root; files of the page never are. */
window.fetch = (asked, how = {}) => {
  const target = typeof asked === "string" ? asked : asked.url;
  if (!target.startsWith("/")) return network(asked, how);
  return new Promise((done, failed) => {
    const chunks = [];
    let head;
    const headers = Object.fromEntries(new Headers(how.headers));
    const stop = ask(how.method ?? "GET", target, headers, how.body, (data) => {
      if (data.error) failed(new TypeError(data.error));
      else if (data.status) head = data;
      else if (data.chunk) chunks.push(data.chunk);
      else if (data.done) {
        const empty = head.status === 204 || head.status === 304;
        done(new Response(empty ? null : new Blob(chunks), { status: head.status, headers: head.headers }));
      }
    });
    how.signal?.addEventListener("abort", () => {
      stop();
      failed(new DOMException("aborted", "AbortError"));
    });
  });
};

/** Server-Sent Events by messages: as much of the browser's own as a page can tell. */
window.EventSource = class extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  static CLOSED = 2;
  readyState = 0;
  #stop;
  #text = "";
  #decoder = new TextDecoder();

  constructor(target) {
    super();
    this.#stop = ask("GET", target, { accept: "text/event-stream" }, undefined, (data) => this.#hear(data));
  }

  close() {
    this.readyState = 2;
    this.#stop();
  }

  #hear(data) {
    if (this.readyState === 2) return;
    if (data.status === 200) {
      this.readyState = 1;
      this.#tell(new Event("open"));
    } else if (data.chunk) {
      this.#text += this.#decoder.decode(data.chunk, { stream: true });
      const events = this.#text.split("\n\n");
      this.#text = events.pop();
      events.forEach((event) => this.#event(event));
    } else {
      this.readyState = 2;
      this.#tell(new Event("error"));
    }
  }

  #event(text) {
    const field = {};
    for (const line of text.split("\n")) {
      const at = line.indexOf(": ");
      if (at > 0) field[line.slice(0, at)] = line.slice(at + 2);
    }
    if (field.data === undefined) return;
    this.#tell(new MessageEvent(field.event ?? "message", { data: field.data, lastEventId: field.id ?? "" }));
  }

  #tell(event) {
    this.dispatchEvent(event);
    this[`on${event.type}`]?.(event);
  }
};
