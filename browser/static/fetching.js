/** Beside the worker: fetches and unpacks the named files while Python is busy with those before; the line is never idle. */

import { unpacked } from "./unpacked.js";

async function send(name, arrived) {
  try {
    const bytes = await (await unpacked(name, undefined, arrived)).arrayBuffer();
    self.postMessage({ name, bytes }, [bytes]);
  } catch (error) {
    self.postMessage({ name, error: String(error?.message ?? error) });
  }
}

self.onmessage = async ({ data: names }) => {
  for (const name of names) await new Promise((arrived) => void send(name, arrived).finally(arrived));
};
