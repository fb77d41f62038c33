import { mount } from "svelte";
import App from "./shell/App.svelte";
import { apply } from "./choices.svelte";
import { router } from "./route.svelte";
import { learn } from "./words";
import "./look.css";

apply();
// Fetched beside the words of the page itself, not after them.
const { view } = router.route;
void Promise.all([view.load(), learn(view.words)]).catch(() => undefined);
await learn("shell");
mount(App, { target: document.getElementById("page") as HTMLElement });
