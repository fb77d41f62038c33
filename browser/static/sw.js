/** Keeps the whole table on the device: after the first visit it opens without a network. */

const VERSION = "@VERSION@";
const KEPT = `passline-${VERSION}`;
const FILES = JSON.parse("@FILES@");

self.addEventListener("install", (event) => {
  const keep = async () => {
    const cache = await caches.open(KEPT);
    // One after the other, and what the page has loaded comes from the browser's own store: nothing is fetched twice.
    for (const file of FILES) await cache.add(new Request(file, { cache: "force-cache" }));
    await self.skipWaiting();
  };
  event.waitUntil(keep());
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    for (const name of await caches.keys())
      if (name.startsWith("passline-") && !name.endsWith(VERSION)) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  const answer = async () => {
    const cache = await caches.open(KEPT);
    return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(answer());
});
