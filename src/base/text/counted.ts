/** `1 resource`, `3 resources`, `2 policies`. `many`: an irregular plural. */
export function counted(count: number, noun: string, many = plural(noun)): string {
  return `${count} ${count === 1 ? noun : many}`;
}

export function plural(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
