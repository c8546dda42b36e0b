/** Names that cannot be part of an id or a path, or that are traps in many programs. A kind's own rules come later. */
export const unsafeName = /[/\s\p{C}]|^(?:\.{1,2}|__proto__|constructor|prototype)$/u;
