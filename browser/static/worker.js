/** The worker of the table that needs no server: Pyodide, our Python, and what the page sends handed to it. */

import "./crypto.js";
import { loadPyodide } from "pyodide";
import { at, unpacked } from "./unpacked.js";

/**
 * What Python starts with comes first, so that it starts while the rest is on the line. A second worker takes that rest:
 * this one cannot, while Python imports.
 */
const LATER = ["stdlib.zip", "libraries.pack", "passline.pack"];
const later = {};
const fetching = new Worker(at("fetching.js"), { type: "module", name: "passline-files" });
const arrivals = Object.fromEntries(LATER.map((name) => [name, new Promise((...both) => (later[name] = both))]));
fetching.onmessage = ({ data: { name, bytes, error } }) => {
  if (error) later[name][1](new Error(error));
  else later[name][0](bytes);
};
fetching.onerror = ({ message }) => LATER.forEach((name) => later[name][1](new Error(message)));

/** Pyodide fetches these by itself; they are handed to it unpacked, as they come. */
const network = self.fetch.bind(self);
const interpreter = unpacked("pyodide.asm.mjs", "text/javascript");
const wasm = unpacked("pyodide.asm.wasm", "application/wasm", () => fetching.postMessage(LATER));
self.fetch = async (asked, how) => {
  const name = String(asked.url ?? asked)
    .split("/")
    .pop();
  if (name === "pyodide.asm.wasm") return wasm;
  if (name === "stdlib.zip") return new Response(await arrivals[name]);
  return network(asked, how);
};

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

/** The second half of Pyodide's own JavaScript. */
async function module() {
  const url = URL.createObjectURL(await (await interpreter).blob());
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
  const saved = store("readonly", (pit) => pit.get("saved")).catch(() => undefined);
  const pyodide = await loadPyodide({
    indexURL: at("./"),
    createPyodideModule: await module(),
    stdLibURL: at("stdlib.zip"),
    lockFileContents: { info: JSON.parse("@INFO@"), packages: {} },
    env: { PYTHONDONTWRITEBYTECODE: "1", HOME: "/home" },
  });
  mark("interpreter");
  spread(pyodide.FS, await arrivals["libraries.pack"]);
  pyodide.runPython(`
import sys
sys.path.insert(0, "/passline")
import fastapi
`);
  mark("libraries");
  spread(pyodide.FS, await arrivals["passline.pack"]);
  fetching.terminate();
  mark("fetched");
  self.passlineSaved = (await saved) ?? null;
  const ask = pyodide.runPython(`
import passline_worker
passline_worker.ask
`);
  mark("app");
  return { pyodide, ask };
}

/** Pyodide waits for ever for a file that does not come; whoever waits for us does not. */
const missing = Promise.all([wasm, ...Object.values(arrivals)]).then(() => new Promise(() => undefined));
const ready = Promise.race([start(), missing]);
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
