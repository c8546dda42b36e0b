import { counted } from '../../base/text/counted.ts';
import { ToolError } from '../../base/toolError.ts';
import type { DesiredResource, Output } from '../../manifest/model/manifest.ts';
import type { OtherStack } from '../../plan/model/planOptions.ts';
import type { Session } from '../../project/session/session.ts';
import { ownerOfProject, type Project } from '../../project/settings/project.ts';
import { settingProblem } from '../../project/settings/settingsFile.ts';
import type { ResourceId } from '../../schema/record/ref.ts';

/** The stacks of the inputs. */
export interface DeclaredStacks {
  /** The resources of all stacks, chosen or not. */
  readonly all: readonly DesiredResource[];
  readonly desired: readonly DesiredResource[];
  readonly outputs: readonly Output[];
  readonly project: Project;
  /** The names of the stacks in code, in the order of applying. */
  readonly stacks: readonly string[];
  /** Of several stacks, those named on the command line; undefined if it names none. */
  readonly selected: readonly string[] | undefined;
  /** The stack of each resource, if there are several. */
  readonly declaredIn: ReadonlyMap<ResourceId, string>;
}

/** Resources that are planned together. */
export interface ChosenStack {
  readonly owner: string;
  readonly desired: readonly DesiredResource[];
  readonly outputs: readonly Output[];
  /** Everything declared by the other stacks of the app. */
  readonly others: readonly OtherStack[];
  /** Resources that other stacks declare, with the names of these stacks. */
  readonly elsewhere: ReadonlyMap<ResourceId, string>;
}

/**
 * The stacks for a command, in the order of applying. `all`: the value of `--all`; a name takes precedence.
 *
 * Errors: `stack.choose` if one has to be chosen, `stack.unknown`, `settings.stack`.
 */
export async function chooseStacks(
  checked: DeclaredStacks,
  session: Session,
  all: boolean,
): Promise<readonly ChosenStack[]> {
  if (isNamedBySettings(checked)) throw await namedBySettings(checked);
  const chosen = chosenStacks(checked, session, all);
  await session.tell({ type: 'stacks', owners: chosen.map(({ owner }) => owner) });
  return chosen;
}

function chosenStacks(checked: DeclaredStacks, session: Session, isAll: boolean): readonly ChosenStack[] {
  const { all, declaredIn, desired, outputs, project, stacks } = checked;
  const [only, second] = stacks;
  if (second === undefined) {
    return [
      {
        owner: ownerOfProject(session, project, only),
        desired,
        outputs,
        elsewhere: new Map(),
        others: [],
      },
    ];
  }
  const chosen = chosenNames(checked, isAll);
  const settings = { ...project.settings, stack: undefined };
  const owners = new Map(stacks.map((name) => [name, ownerOfProject(session, { ...project, settings }, name)]));
  const ownerOfStack = (name: string): string => owners.get(name) ?? name;
  const declaredBy = (name: string, resources: readonly DesiredResource[]): readonly DesiredResource[] =>
    resources.filter(({ stack }) => stack === name).map((resource) => withOwners(resource, ownerOfStack));
  return chosen.map((name) => {
    const ownResources = declaredBy(name, desired);
    const elsewhere = new Map([...declaredIn].filter(([, stack]) => stack !== name));
    const others = stacks
      .filter((other) => other !== name)
      .map((other) => ({
        owner: ownerOfStack(other),
        desired: declaredBy(other, all),
        inRun: false,
      }));
    const ownOutputs = outputs.filter(({ stack }) => stack === name);
    return { owner: ownerOfStack(name), desired: ownResources, outputs: ownOutputs, elsewhere, others };
  });
}

/** A hand-over names the stacks of its app as the code does, and any other stack by its owner tag. */
function withOwners(resource: DesiredResource, ownerOfStack: (name: string) => string): DesiredResource {
  const { lifecycle } = resource;
  const { adopt, handOver } = lifecycle;
  if (typeof adopt === 'object') {
    return { ...resource, lifecycle: { ...lifecycle, adopt: { from: ownerOfStack(adopt.from) } } };
  }
  if (handOver === undefined) return resource;
  return { ...resource, lifecycle: { ...lifecycle, handOver: ownerOfStack(handOver) } };
}

/** Whether `gantry.yaml` names a stack, although the app has several, and none of them is named by the user. */
function isNamedBySettings({ stacks, selected, project }: DeclaredStacks): boolean {
  return stacks.length > 1 && selected === undefined && project.settings.stack !== undefined;
}

function namedBySettings({ stacks, project: { folder, settings } }: DeclaredStacks): Promise<ToolError> {
  const { environment, stack } = settings;
  const at = environment?.settings.stack === undefined ? [] : ['environments', environment.name];
  const message = `stack is ${JSON.stringify(stack)}, but the app has ${counted(stacks.length, 'stack')}: ${stacks.join(', ')}`;
  return settingProblem(folder, [...at, 'stack'], message, {
    code: 'settings.stack',
    hint: 'Remove it: each stack has the name that its code gives it, new Stack(app, ID, { name }).',
  });
}

function chosenNames({ stacks, selected }: DeclaredStacks, all: boolean): readonly string[] {
  const list = stacks.join(', ');
  const unknown = selected?.find((name) => !stacks.includes(name));
  if (unknown !== undefined) {
    throw new ToolError({
      code: 'stack.unknown',
      message: `the app has no stack ${JSON.stringify(unknown)}`,
      hint: `Its stacks are ${list}.`,
    });
  }
  if (selected !== undefined) return stacks.filter((name) => selected.includes(name));
  if (!all) {
    throw new ToolError({
      code: 'stack.choose',
      message: `the app has ${counted(stacks.length, 'stack')}: ${list}`,
      hint: `Name one, --stack ${stacks[0]}, or take all of them in their order, --all.`,
    });
  }
  return stacks;
}

/** Marks stacks of the same run: deletions of one can wait for another. */
export function markSameRun<Stack extends StackWithOthers>(stacks: readonly Stack[]): readonly Stack[] {
  const owners = new Set(stacks.map(({ owner }) => owner));
  return stacks.map((stack) => ({
    ...stack,
    others: (stack.others ?? []).map((other) => ({ ...other, inRun: owners.has(other.owner) })),
  }));
}

interface StackWithOthers {
  readonly owner: string;
  readonly others?: readonly OtherStack[] | undefined;
}
