import { areas, pureFolders } from '../../test/layering/rooms.ts';
import { code, table } from './fieldTable.ts';

/** The areas of the source, from the ground up, with what they may import beside what that may import. */
export function areaTable(): string {
  return table(
    ['Area', 'What it is', 'May import (and what these may)', 'Pure'],
    Object.entries(areas).map(([name, { about, isPure }]) => [
      code(short(name)),
      about,
      importsOf(name).map(short).join(' '),
      isPure ? 'yes' : pureFolders.some((folder) => folder.startsWith(`${name}/`)) ? 'in part' : '',
    ]),
  );
}

function importsOf(name: string): readonly string[] {
  const own = areas[name]?.areas ?? [];
  return own.filter((each) => !own.some((other) => other !== each && reached(other).has(each)));
}

function reached(name: string): ReadonlySet<string> {
  const own = areas[name]?.areas ?? [];
  return new Set([...own, ...own.flatMap((each) => [...reached(each)])]);
}

function short(name: string): string {
  return name.replace(/^src\//, '');
}
