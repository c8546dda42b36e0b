import { posix } from 'node:path';
import { type Area, areas, decisionsUsed, exceptions, pureFolders } from './rooms.ts';
import { importedWith, loadedWith, type SourceGraph } from './sourceGraph.ts';

/** The violations of the layers, each with its file or folder. Empty if there is none. */
export function violations(graph: SourceGraph): readonly string[] {
  return [
    ...homeless(graph),
    ...arrowsBetweenAreas(graph),
    ...arrowsByOtherAreas(graph),
    ...arrowsBetweenRooms(graph),
    ...arrowsIntoFeatures(graph),
    ...crowdedFolders(graph.keys()),
    ...impurities(graph),
    ...cycles(arrowsBetweenFiles(graph)),
    ...longFiles(graph),
  ];
}

export function areaOf(path: string): string {
  return path.startsWith('src/') ? path.split('/').slice(0, 2).join('/') : (path.split('/')[0] ?? '');
}

/** The folder of a file in its area. Files with the routes of a feature (`routes.ts`) are a folder above it. */
export function roomOf(path: string): string {
  const folder = posix.dirname(path);
  const room = folder === '.' ? '.' : folder.slice(areaOf(path).length + 1) || '.';
  return /^src\/server\/\w+\/\w*[rR]outes\.ts$/.test(path) ? `${room}/routes` : room;
}

function homeless(graph: SourceGraph): readonly string[] {
  return [...graph.keys()].filter((path) => areas[areaOf(path)] === undefined).map((path) => `${path} is in no area`);
}

function filesOfAreas(graph: SourceGraph) {
  return [...graph].flatMap(([path, file]) => {
    const area = areas[areaOf(path)];
    return area === undefined ? [] : [{ path, file, area }];
  });
}

function arrowsBetweenAreas(graph: SourceGraph): readonly string[] {
  return filesOfAreas(graph).flatMap(({ path, file, area }) =>
    file.imports.flatMap(({ to, isPackage }) => {
      const isAllowed = isPackage
        ? area.packages.some((name) => matches(name, to))
        : [areaOf(path), 'src/base', ...area.areas, ...excepted(areaOf(path))].includes(areaOf(to));
      return isAllowed ? [] : [`${path} may not import ${to}`];
    }),
  );
}

function excepted(area: string): readonly string[] {
  return exceptions.flatMap(([from, to]) => (from === area ? [to] : []));
}

/** Areas that an area reaches only through another one, although neither may import them. */
function arrowsByOtherAreas(graph: SourceGraph): readonly string[] {
  return [...forbiddenWays(graph)].flatMap(([area, ways]) =>
    [...ways].flatMap(([to, way]) =>
      excepted(area).includes(to) ? [] : [`${area} may not reach ${to}: ${way.join(' -> ')}`],
    ),
  );
}

/** For each area the forbidden areas that it reaches, with the import path to the first file there. */
function forbiddenWays(graph: SourceGraph): ReadonlyMap<string, ReadonlyMap<string, readonly string[]>> {
  return new Map(
    Object.keys(areas).map((area) => {
      const allowed = reachable(area);
      const own = [...graph.keys()].filter((path) => areaOf(path) === area);
      const ways = new Map<string, readonly string[]>();
      for (const [path, way] of importedWith(graph, own)) {
        const to = areaOf(path);
        if (areas[to] !== undefined && !allowed.has(to) && !ways.has(to)) ways.set(to, way);
      }
      return [area, ways] as const;
    }),
  );
}

function reachable(area: string): ReadonlySet<string> {
  const found = new Set([area, 'src/base']);
  for (const each of found) for (const to of areas[each]?.areas ?? []) found.add(to);
  return found;
}

/** Exceptions that are not needed. */
export function idleExceptions(graph: SourceGraph): readonly string[] {
  const ways = forbiddenWays(graph);
  const isNeeded = (from: string, to: string) =>
    ways.get(from)?.has(to) ||
    (areas[from]?.areas.includes(to) === false &&
      [...graph].some(
        ([path, { imports }]) => areaOf(path) === from && imports.some((each) => areaOf(each.to) === to),
      ));
  return exceptions.filter(([from, to]) => !isNeeded(from, to)).map(([from, to]) => `${from} -> ${to}`);
}

function matches(allowed: string, name: string): boolean {
  return allowed.endsWith('*')
    ? name.startsWith(allowed.slice(0, -1))
    : name === allowed || name.startsWith(`${allowed}/`);
}

function arrowsBetweenRooms(graph: SourceGraph): readonly string[] {
  return filesOfAreas(graph).flatMap(({ path, file, area }) => {
    const own = area.rooms.indexOf(roomOf(path));
    if (own === -1) return [`${path} is in a folder that rooms.ts does not list`];
    return file.imports
      .filter(({ to, isPackage }) => !isPackage && areaOf(to) === areaOf(path))
      .filter(({ to }) => roomIndex(graph, area, to) < own)
      .map(({ to }) => `${path} imports ${to}, which is in a folder above it`);
  });
}

function roomIndex(graph: SourceGraph, area: Area, path: string): number {
  return graph.has(path) ? area.rooms.indexOf(roomOf(path)) : Number.POSITIVE_INFINITY;
}

/** The folder below `src/server/` and its part: `['volumes', 'decisions']`; undefined elsewhere, and at the top. */
function featureOf(path: string): readonly [feature: string, part: string] | undefined {
  const [, feature, part] = /^src\/server\/(\w+)\/(.+)$/.exec(path) ?? [];
  return feature === undefined || part === undefined ? undefined : [feature, part.split('/')[0] ?? ''];
}

/** Imports from one feature of the platform into the internals of another. */
function arrowsIntoFeatures(graph: SourceGraph): readonly string[] {
  return [...graph].flatMap(([path, { imports }]) => {
    const own = featureOf(path)?.[0];
    return imports.flatMap(({ to, isPackage }) => {
      const [feature, part] = (isPackage ? undefined : featureOf(to)) ?? [];
      if (own === undefined || feature === undefined || feature === own) return [];
      const isInside = /^(?:\w*[rR]outes|jobs)\.ts$/.test(part ?? '');
      const mayDecide = part !== 'decisions' || decisionsUsed[feature]?.includes(own) === true;
      return !isInside && mayDecide ? [] : [`${path} may not import ${to}, which is the business of ${feature}`];
    });
  });
}

/** Entries of `decisionsUsed` that are not needed. */
export function idleUses(graph: SourceGraph): readonly string[] {
  const used = new Set(
    [...graph].flatMap(([path, { imports }]) =>
      imports.map(({ to }) => `${featureOf(path)?.[0]} of ${featureOf(to)?.join('/')}`),
    ),
  );
  return Object.entries(decisionsUsed).flatMap(([feature, others]) =>
    others.filter((other) => !used.has(`${other} of ${feature}/decisions`)).map((other) => `${other} of ${feature}`),
  );
}

const mostFiles = 40;

export function crowdedFolders(paths: Iterable<string>): readonly string[] {
  const sizes = new Map<string, number>();
  for (const folder of [...paths].map(posix.dirname)) sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  return [...sizes]
    .filter(([, size]) => size > mostFiles)
    .map(([folder, size]) => `${folder} has ${size} files side by side`);
}

/** I/O, clock, randomness, timers, console, environment, and code from text. */
const impure = [
  /\bDate\.now\b/,
  /\bnew Date\(\)/,
  /(?<!new )\bDate\(/,
  /\bMath\.random\b/,
  /\bcrypto\./,
  /\b(?:set|clear)(?:Timeout|Interval|Immediate)\(/,
  /\bqueueMicrotask\(/,
  /\bconsole\./,
  /\bprocess\./,
  /\bperformance\.(?:now|timeOrigin|mark|measure)\b/,
  /\bfetch\(/,
  /\b(?:import|require)\((?!\s*'\d+'\s*[,)])/,
  /\beval\(/,
  /\bnew Function\(/,
  /\bglobalThis\./,
  /\bimport\.meta\b/,
  /\bAbortSignal\.timeout\(/,
];

function isPure(path: string): boolean {
  return areas[areaOf(path)]?.isPure === true || pureFolders.some((folder) => path.startsWith(`${folder}/`));
}

/** Impure code in pure folders, and in everything that they load. */
function impurities(graph: SourceGraph): readonly string[] {
  const ways = loadedWith(graph, [...graph.keys()].filter(isPure));
  return [...ways].flatMap(([path, way]) => {
    const file = graph.get(path);
    if (file === undefined) return [`${way.join(' -> ')} is not there`];
    const modules = file.imports.filter(({ to, isTypeOnly }) => to.startsWith('node:') && !isTypeOnly);
    const found = [...modules.map(({ to }) => to), ...impure.flatMap((pattern) => pattern.exec(file.code)?.[0] ?? [])];
    return found.map((what) => `${way.join(' -> ')} is not pure: ${what}`);
  });
}

/** Includes type-only imports. */
function arrowsBetweenFiles(graph: SourceGraph): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...graph].map(([path, { imports }]) => [path, imports.flatMap(({ to, isPackage }) => (isPackage ? [] : [to]))]),
  );
}

/** The cycles in a table of edges. */
export function cycles(arrows: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const found: string[] = [];
  function visit(from: string, trail: readonly string[]): void {
    if (trail.includes(from)) found.push(`a cycle: ${[...trail.slice(trail.indexOf(from)), from].join(' -> ')}`);
    if (done.has(from) || trail.includes(from)) return;
    for (const to of arrows.get(from) ?? []) visit(to, [...trail, from]);
    done.add(from);
  }
  for (const from of arrows.keys()) visit(from, []);
  return found;
}

const mostLines = 500;

function longFiles(graph: SourceGraph): readonly string[] {
  return [...graph]
    .filter(([, { lines }]) => lines > mostLines)
    .map(([path, { lines }]) => `${path} has ${lines} lines`);
}
