import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["src/api.ts", "node_modules/"] },
  js.configs.recommended,
  ...ts.configs.recommended,
  ...svelte.configs.recommended,
  ...svelte.configs.prettier,
  { languageOptions: { globals: globals.browser } },
  { files: ["static/*.mjs"], languageOptions: { globals: globals.node } },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // Links are fragments of one page, made by `link`: there is no router of SvelteKit's to resolve them.
      "svelte/no-navigation-without-resolve": "off",
      // `{" "}` is a space that stays one at the end of a line.
      "svelte/no-useless-mustaches": "off",
      // State is replaced whole (`$state.raw`): what is inside it need not be watched.
      "svelte/prefer-svelte-reactivity": "off",
    },
  },
  { rules: { "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }] } },
);
