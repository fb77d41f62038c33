/** The worker of the table that needs no server: Pyodide, our Python, and what the page sends handed to it. */

import "./crypto.js";
import { XzReadableStream } from "xz-decompress";
import { loadPyodide } from "pyodide";

const VERSION = "@VERSION@";
const at = (name) => new URL(name, self.location.href).href;

/** A file unpacked, as a response; the second visit takes it from the device, unpacked as it was. */
async function unpacked(name, type) {
  const cache = await caches.open(`passline-unpacked-${VERSION}`).catch(() => null);
  const known = await cache?.match(at(name));
  if (known) return known;
  const packed = await fetch(at(`${name}.xz`));
  if (!packed.ok) throw new Error(`${name}: ${packed.status}`);
  const whole = new Response(new XzReadableStream(packed.body), { headers: { "Content-Type": type } });
  if (cache) void cache.put(at(name), whole.clone()).catch(() => undefined);
  return whole;
}

const bytes = async (name) => (await unpacked(name, "application/octet-stream")).arrayBuffer();

/** Pyodide fetches these by itself; they are handed to it unpacked, as they come. */
const network = self.fetch.bind(self);
const wasm = unpacked("pyodide.asm.wasm", "application/wasm");
self.fetch = (asked, how) => (String(asked.url ?? asked).endsWith("/pyodide.asm.wasm") ? wasm : network(asked, how));

/** The last visit, as the device has it. */
function store(mode, work) {
  return new Promise((done, failed) => {
    const opening = indexedDB.open("passline", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("pit");
    opening.onerror = () => failed(opening.error);
    opening.onsuccess = () => {
      const asked = work(opening.result.transaction("pit", mode).objectStore("pit"));
      asked.onsuccess = () => done(asked.result);
      asked.onerror = () => failed(asked.error);
    };
  });
}

/** Modules that the first visit seldom needs come in one piece, when the first of them is imported. */
self.passlineRest = () => {
  const asked = new XMLHttpRequest();
  asked.open("GET", at("rest.zip"), false);
  asked.responseType = "arraybuffer";
  asked.send();
  return new Uint8Array(asked.response);
};

async function script(name) {
  const url = URL.createObjectURL(new Blob([await bytes(name)], { type: "text/javascript" }));
  try {
    return (await import(url)).default;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Put the files of an archive where Python looks: a line of JSON with names and lengths, then their bytes. */
function spread(FS, archive) {
  const all = new Uint8Array(archive);
  const end = all.indexOf(10);
  let from = end + 1;
  for (const [path, length] of JSON.parse(new TextDecoder().decode(all.subarray(0, end)))) {
    FS.mkdirTree(`/passline/${path.slice(0, Math.max(0, path.lastIndexOf("/")))}`);
    FS.writeFile(`/passline/${path}`, all.subarray(from, from + length));
    from += length;
  }
}

const begun = performance.now();
const marks = (self.passlineMarks = {});
const mark = (what) => (marks[what] = Math.round(performance.now() - begun));

async function start() {
  const [createPyodideModule, stdlib, archive, saved] = await Promise.all([
    script("pyodide.asm.mjs"),
    bytes("stdlib.zip"),
    bytes("passline.pack"),
    store("readonly", (pit) => pit.get("saved")).catch(() => undefined),
  ]);
  mark("fetched");
  const pyodide = await loadPyodide({
    indexURL: at("./"),
    createPyodideModule,
    stdLibURL: URL.createObjectURL(new Blob([stdlib])),
    lockFileContents: { info: JSON.parse("@INFO@"), packages: {} },
    env: { PYTHONDONTWRITEBYTECODE: "1", HOME: "/home" },
  });
  mark("interpreter");
  spread(pyodide.FS, archive);
  self.passlineSaved = saved ?? null;
  const ask = pyodide.runPython(`
import sys
sys.path.insert(0, "/passline")
import passline_worker
passline_worker.ask
`);
  mark("app");
  return { pyodide, ask };
}

const ready = start();
const open = new Map();
let saving;

/** Keep what was played, soon after it was. */
function save(pyodide) {
  clearTimeout(saving);
  saving = setTimeout(() => {
    const text = pyodide.globals.get("passline_worker").save();
    void store("readwrite", (pit) => pit.put(text, "saved")).catch(() => undefined);
  }, 250);
}

self.onmessage = async ({ data }) => {
  const { id, method, target, headers, body, close } = data;
  if (close) return open.get(id)?.();
  try {
    const { pyodide, ask } = await ready;
    const gone = new Promise((over) => open.set(id, over));
    const send = (status, more) => self.postMessage({ id, status, headers: JSON.parse(more), marks });
    const chunk = (view) => self.postMessage({ id, chunk: view.slice() });
    await ask(method, target, JSON.stringify(headers), body ?? "", send, chunk, gone);
    if (method !== "GET") save(pyodide);
    self.postMessage({ id, done: true });
  } catch (error) {
    self.postMessage({ id, error: String(error?.message ?? error) });
  } finally {
    open.delete(id);
  }
};
ready.then(
  () => self.postMessage({ ready: true, marks }),
  (error) => self.postMessage({ broken: String(error?.message ?? error) }),
);
