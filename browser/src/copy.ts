/** Put a text where it can be pasted; false where the browser does not let us, as over plain HTTP from another machine. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
