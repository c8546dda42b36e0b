/** What a name, or a text that holds names, becomes on its way to the wire and back. The two undo each other. */
export interface Renaming {
  readonly toWire: (name: string) => string;
  readonly toNeutral: (name: string) => string;
}

export type Way = keyof Renaming;

function same(name: string): string {
  return name;
}

export const unchanged: Renaming = { toWire: same, toNeutral: same };

/** Where one way undoes itself: two spellings change places. */
export function swapped(rename: (name: string) => string): Renaming {
  return { toWire: rename, toNeutral: rename };
}

/**
 * Two prefixes change places. That the installation's own prefix is given the neutral one in return, and is not
 * simply left alone, is what makes it a bijection: whatever a client sends comes back to it as it was.
 */
export function prefix(neutral: string, installations: string): Renaming {
  if (neutral === installations) return unchanged;
  return swapped((name) => {
    if (name.startsWith(neutral)) return installations + name.slice(neutral.length);
    if (name.startsWith(installations)) return neutral + name.slice(installations.length);
    return name;
  });
}

/** One after the other. */
export function inTurn(...renamings: readonly Renaming[]): Renaming {
  const needed = renamings.filter((renaming) => renaming !== unchanged);
  const backwards = needed.toReversed();
  return {
    toWire: (name) => needed.reduce((text, { toWire }) => toWire(text), name),
    toNeutral: (name) => backwards.reduce((text, { toNeutral }) => toNeutral(text), name),
  };
}

/**
 * The same renaming, but with these images. What had one of them before gets the image that became free, so that the
 * result is a bijection as `base` is. No two of the images may be equal.
 */
export function steered(base: Renaming, images: ReadonlyMap<string, string>): Renaming {
  const forward = new Map<string, string>();
  const backward = new Map<string, string>();
  for (const [name, image] of images) {
    const start = base.toWire(name);
    const former = forward.get(start) ?? start;
    if (former === image) continue;
    const displaced = backward.get(image) ?? image;
    forward.set(start, image).set(displaced, former);
    backward.set(image, start).set(former, displaced);
  }
  if (forward.size === 0) return base;
  return {
    toWire(name) {
      const start = base.toWire(name);
      return forward.get(start) ?? start;
    },
    toNeutral: (name) => base.toNeutral(backward.get(name) ?? name),
  };
}
