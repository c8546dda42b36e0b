import { agent } from './agent/sheet.ts';
import { auditctx } from './auditctx/sheet.ts';
import { cloudaccount } from './cloudaccount/sheet.ts';
import type { Sheets } from './common/sheet.ts';
import { deployment } from './deployment/sheet.ts';
import { domain } from './domain/sheet.ts';
import { group } from './group/sheet.ts';
import { gvc } from './gvc/sheet.ts';
import { identity } from './identity/sheet.ts';
import { image } from './image/sheet.ts';
import { ipset } from './ipset/sheet.ts';
import { location } from './location/sheet.ts';
import { org } from './org/sheet.ts';
import { policy } from './policy/sheet.ts';
import { quota } from './quota/sheet.ts';
import { secret } from './secret/sheet.ts';
import { serviceaccount } from './serviceaccount/sheet.ts';
import { task } from './task/sheet.ts';
import { user } from './user/sheet.ts';
import { volumeset } from './volumeset/sheet.ts';
import { workload } from './workload/sheet.ts';

/** The sheet of each kind. */
export const sheets = {
  agent,
  auditctx,
  cloudaccount,
  deployment,
  domain,
  group,
  gvc,
  identity,
  image,
  ipset,
  location,
  org,
  policy,
  quota,
  secret,
  serviceaccount,
  task,
  user,
  volumeset,
  workload,
} satisfies Sheets;
