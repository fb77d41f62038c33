import { mount } from "svelte";
import App from "./shell/App.svelte";
import { apply } from "./choices.svelte";
import { learn } from "./words";
import "./look.css";

apply();
await learn("shell");
mount(App, { target: document.getElementById("page") as HTMLElement });
