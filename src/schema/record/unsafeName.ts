/** Names that cannot be part of an id or a path, or that break many programs. Rules of the kinds are checked later. */
export const unsafeName = /[/\s\p{C}]|^(?:\.{1,2}|__proto__|constructor|prototype)$/u;
