import { type Act, formOf, type Values, type World } from './acts.ts';
import { type Broken, play } from './play.ts';
import type { Stage } from './stage.ts';

/** A smaller world that breaks the same law, found by removing one element after the other. */
export async function shrink(stage: Stage, world: World, broken: Broken): Promise<readonly [World, Broken]> {
  let [smallest, found]: readonly [World, Broken] = [{ ...world, acts: world.acts.slice(0, broken.act + 1) }, broken];
  for (let again = true; again; ) {
    again = false;
    for (const smaller of smallerWorlds(smallest)) {
      const seen = await play(stage, smaller);
      if (seen?.law !== found.law) continue;
      [smallest, found, again] = [smaller, seen, true];
      break;
    }
  }
  return [smallest, found];
}

function* smallerWorlds(world: World): Generator<World> {
  const { acts } = world;
  const { base, immutable } = formOf(world.kind);
  const free = (path: string) => !(path in base) && path !== immutable?.at;
  for (let index = acts.length - 2; index > 0; index -= 1) yield { ...world, acts: acts.toSpliced(index, 1) };
  for (const path of new Set(acts.flatMap(pathsOf).filter(free))) {
    const changed = acts.map((act) => without(act, path));
    if (changed.some((act, index) => pathsOf(act).length < pathsOf(acts[index]).length))
      yield { ...world, acts: changed };
  }
  for (const [index, act] of acts.entries()) {
    for (const path of pathsOf(act).filter(free)) yield { ...world, acts: acts.with(index, without(act, path)) };
  }
}

function pathsOf(act: Act | undefined): readonly string[] {
  if (act === undefined || 'destroys' in act || 'undoes' in act) return [];
  if ('makes' in act) return Object.keys(act.makes);
  if ('declares' in act) return [...Object.keys(act.declares), ...('ignore' in act ? act.ignore : [])];
  return [...Object.keys(act.set), ...('drop' in act ? act.drop : [])];
}

function without(act: Act, path: string): Act {
  if ('destroys' in act || 'undoes' in act) return act;
  if ('makes' in act) return { ...act, makes: pick(act.makes, path) };
  if (act.by === 'platform') return { ...act, set: pick(act.set, path) };
  if (act.by === 'person') return { ...act, set: pick(act.set, path), drop: act.drop.filter((each) => each !== path) };
  if (act.by === 'owner') {
    return { ...act, declares: pick(act.declares, path), ignore: act.ignore.filter((each) => each !== path) };
  }
  return { ...act, declares: pick(act.declares, path) };
}

function pick(values: Values, path: string): Values {
  return Object.fromEntries(Object.entries(values).filter(([each]) => each !== path && !each.startsWith(`${path}|`)));
}
