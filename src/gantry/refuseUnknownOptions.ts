import { meantOrAvailable } from '../base/text/suggestion.ts';
import { ToolError } from '../base/toolError.ts';
import type { Permits } from '../plan/model/permits.ts';
import { permitNames } from '../plan/model/permits.ts';
import type {
  Abortable,
  AdoptOptions,
  ApplyOptions,
  ApproveOptions,
  LoadOptions,
  OpenOptions,
  PlanOptions,
  RehearseOptions,
  SignOptions,
  UndoOptions,
} from './gantry.ts';

/** The compiler demands every member of the options, so that none is refused by mistake. */
type Names<Options> = Readonly<Record<keyof Options, true>>;

const abortable: Names<Abortable> = { signal: true };
const sign: Names<SignOptions> = { sign: true, validForMs: true };
const adopt: Names<AdoptOptions> = { ...abortable, format: true, split: true };
const apply: Names<ApplyOptions> = {
  signal: true,
  on: true,
  stack: true,
  signedBy: true,
  approvedBy: true,
  parallelism: true,
  verify: true,
  waitTimeoutMs: true,
  consistencyTimeoutMs: true,
};
const approve: Names<ApproveOptions> = { ...sign, signedBy: true };
const load: Names<LoadOptions> = { signal: true, values: true, stack: true };
const open: Names<OpenOptions> = {
  project: true,
  endpoint: true,
  token: true,
  org: true,
  gvc: true,
  stack: true,
  env: true,
  dialect: true,
  embedded: true,
  records: true,
  environment: true,
  onNotice: true,
};
const plan: Names<Omit<PlanOptions, keyof Permits>> = {
  signal: true,
  target: true,
  exclude: true,
  wait: true,
  destroy: true,
  rehearse: true,
  after: true,
};
const rehearse: Names<RehearseOptions> = { crash: true, onPoint: true };
const undo: Names<UndoOptions> = {
  signal: true,
  rehearse: true,
  allowCollateral: true,
  allowDangling: true,
  allowDataLoss: true,
  allowUnseen: true,
};

const reading = Object.keys(abortable);

const known = {
  adopt: Object.keys(adopt),
  apply: Object.keys(apply),
  approve: Object.keys(approve),
  drift: reading,
  graph: reading,
  load: Object.keys(load),
  open: Object.keys(open),
  outputs: reading,
  plan: [...permitNames, ...Object.keys(plan)],
  rehearse: Object.keys(rehearse),
  save: Object.keys(sign),
  status: reading,
  undo: Object.keys(undo),
  validate: reading,
} as const;

/** A program in JavaScript can misspell an option, which would then be missing. Errors: `automation.option`. */
export function refuseUnknownOptions(step: keyof typeof known, options: object): void {
  const unknown = Object.keys(options).find((name) => !known[step].includes(name));
  if (unknown === undefined) return;
  throw new ToolError({
    code: 'automation.option',
    message: `${step}() has no option ${JSON.stringify(unknown)}`,
    hint: meantOrAvailable(unknown, known[step]),
  });
}
