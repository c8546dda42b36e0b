import { parsePath, quoted } from '../schema/shape/paths.ts';
import { alone, type Place } from './places/place.ts';
import type { Renaming, Way } from './words/renaming.ts';

/**
 * Places in a record as errors name them: `spec.sidecar.proxy.http`, `tags."scheme/protected"`
 * (platform/errors.statuses).
 */
export function pathsBelow(place: Place): Renaming {
  return { toWire: (path) => rename(path, place, 'toWire'), toNeutral: (path) => rename(path, place, 'toNeutral') };
}

function rename(path: string, root: Place, way: Way): string {
  const segments = parsePath(path);
  if (segments === undefined) return path;
  let place = root;
  const renamed = segments.map((segment) => {
    if (segment.any) return '*';
    const { other, below } = step(segment.name, place, way);
    place = below;
    return quoted(other);
  });
  return renamed.join('.');
}

interface Step {
  readonly other: string;
  readonly below: Place;
}

function step(name: string, place: Place, way: Way): Step {
  if (place.isList) return { other: place.itemNames[way](name), below: place.item };
  const directive = /^(\$[a-z]+\/)(.*)$/s.exec(name);
  if (directive !== null) {
    const [, word = '', field = ''] = directive;
    const { other, below } = step(field, place, way);
    return { other: word + other, below };
  }
  const other = place.keys[way](name);
  return { other, below: place.child(way === 'toWire' ? name : other, alone) };
}
