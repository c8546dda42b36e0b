/** Does a block of addresses hold all of them? */
export function opensToAll(block: string): boolean {
  return /\/0+$/.test(block);
}
