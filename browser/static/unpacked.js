/** Files that come packed. */

import { XzReadableStream } from "xz-decompress";

const VERSION = "@VERSION@";
export const at = (name) => new URL(name, self.location.href).href;
const network = self.fetch.bind(self);

/** A file as a response; the second visit takes it from the device, unpacked as it was. `arrived` is called when the line is free. */
export async function unpacked(name, type = "application/octet-stream", arrived = () => undefined) {
  const cache = await caches.open(`passline-unpacked-${VERSION}`).catch(() => null);
  const known = await cache?.match(at(name));
  if (known) {
    arrived();
    return known;
  }
  const packed = await network(at(`${name}.xz`));
  if (!packed.ok) throw new Error(`${name}: ${packed.status}`);
  const body = packed.body.pipeThrough(new TransformStream({ flush: arrived }));
  const whole = new Response(new XzReadableStream(body), { headers: { "Content-Type": type } });
  if (cache) void cache.put(at(name), whole.clone()).catch(() => undefined);
  return whole;
}
