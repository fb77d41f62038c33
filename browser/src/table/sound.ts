/** What a table sounds like: made on the spot, switched off until somebody wants it. The words are always on the page too. */

import { choices } from "../choices.svelte";

let audio: AudioContext | undefined;

function context(): AudioContext | undefined {
  if (!choices.sound || typeof AudioContext === "undefined") return undefined;
  audio ??= new AudioContext();
  return audio;
}

function noise(at: number, seconds: number, pitch: number, loud: number): void {
  const to = context();
  if (!to) return;
  const buffer = to.createBuffer(1, Math.ceil(to.sampleRate * seconds), to.sampleRate);
  const data = buffer.getChannelData(0);
  for (let n = 0; n < data.length; n++) data[n] = (Math.random() * 2 - 1) * (1 - n / data.length) ** 3;
  const source = to.createBufferSource();
  source.buffer = buffer;
  const band = to.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 4;
  const gain = to.createGain();
  gain.gain.value = loud;
  source.connect(band).connect(gain).connect(to.destination);
  source.start(to.currentTime + at);
}

function tone(at: number, pitch: number, seconds: number, loud: number): void {
  const to = context();
  if (!to) return;
  const source = to.createOscillator();
  source.type = "triangle";
  source.frequency.value = pitch;
  const gain = to.createGain();
  gain.gain.setValueAtTime(loud, to.currentTime + at);
  gain.gain.exponentialRampToValueAtTime(0.001, to.currentTime + at + seconds);
  source.connect(gain).connect(to.destination);
  source.start(to.currentTime + at);
  source.stop(to.currentTime + at + seconds);
}

export const chipSound = (): void => {
  noise(0, 0.06, 3800, 0.9);
  noise(0.05, 0.05, 4600, 0.6);
};
export const diceSound = (): void =>
  [0, 0.09, 0.16, 0.3, 0.38, 0.5].forEach((at, n) => noise(at, 0.05, 1500 + 300 * (n % 3), 1.2 - n * 0.12));
export const winSound = (): void => [660, 880, 1100].forEach((pitch, n) => tone(n * 0.09, pitch, 0.35, 0.12));
export const loseSound = (): void => tone(0, 150, 0.4, 0.2);

/** The stick's call, aloud. */
export function speak(text: string): void {
  if (!choices.voice || !("speechSynthesis" in globalThis)) return;
  speechSynthesis.cancel();
  const said = new SpeechSynthesisUtterance(text);
  said.lang = "en";
  said.rate = 1.1;
  speechSynthesis.speak(said);
}
