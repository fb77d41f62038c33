import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// File names carry no hash: the server puts a version into their addresses, and a merge has one file to look at.
export default defineConfig({
  base: "./",
  plugins: [svelte()],
  build: {
    outDir: "../src/passline/web/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rollupOptions: {
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name].js",
        assetFileNames: "[name][extname]",
      },
    },
  },
  server: { proxy: { "^/(?!src|@|node_modules|index.html|$)": "http://127.0.0.1:8000" } },
});
