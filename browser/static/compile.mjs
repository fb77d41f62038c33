/** Compiles the library and the app with Pyodide's own Python, so that the magic number is right: node compile.mjs BUILD HERE SRC */

import { loadPyodide } from "pyodide";
import "./crypto.js";

const [build, here, src] = process.argv.slice(2);
const pyodide = await loadPyodide({ packageCacheDir: build, env: { PYTHONDONTWRITEBYTECODE: "1" } });
for (const [name, folder] of Object.entries({ build, here, src, site: `${build}/site` })) {
  pyodide.FS.mkdirTree(`/${name}`);
  pyodide.mountNodeFS(`/${name}`, folder);
}
try {
  await pyodide.runPythonAsync(`
import sys
sys.path[:0] = ["/src", "/site", "/here"]
import compile_all
await compile_all.main()
`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
