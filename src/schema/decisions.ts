/**
 * Answers to questions that no document answers, or that they leave open: each with its section and our reason.
 * Append here; never hide a choice in code. A choice that is no value the code could read has a name that the code
 * mentions, or the file that does it (`test/schema/decisions.test.ts`).
 */

/** Resources B2.4: the host of the own registry is `{org}.<this>`; images there are stored as links. Named nowhere. */
export const ownRegistryHost = 'registry.local';

/**
 * Specification 4.2 does not say what `$drop` does with a name that the object does not hold: it is ignored, as an
 * unknown string of `$drop/<list>` is (protocol 4.1). A required field that is dropped is found by the validation of
 * the whole record. `patch/applyPatch.ts` and `patch/applyToList.ts` do this, and what the next four say.
 */
export const dropOfAbsentFieldIsIgnored = true;

/**
 * Specification 4.2 lets any object of a patch carry directives, but not what they mean in a new object (an item of a
 * plain list, of `$append`, or below `$replace/`): it is merged into an empty one. Free-form JSON is taken to the
 * letter there, so that a `null` or a `$key` in it can be written at all. `patch/applyPatch.ts`.
 */
export const newObjectsAreMergedIntoNothing = true;

/**
 * Protocol 4.1: list directives on a list that is absent work on an empty one; it stays absent if nothing is added.
 * `patch/applyToList.ts`.
 */
export const absentListIsEmpty = true;

/**
 * Protocol 4.3: where several items have the same key, `$drop` and `$retain` mean all of them, `$patch` is a 400.
 * `patch/applyToList.ts`.
 */
export const patchOfAmbiguousKeyIsRefused = true;

/**
 * Protocol 4.1: an item of `$append` without a key (a route without prefix) is added; only equal keys are refused.
 * `patch/applyToList.ts`.
 */
export const appendWithoutKeyIsAdded = true;

/**
 * Resources A.7, law 3 makes an absent object equal to an empty one. One that holds only defaults (`multiZone:
 * {enabled: false}`) says no more than that, so it is equal to absence too, except where its presence means something
 * by itself (a probe handler, `cors`, a tracing provider). `schema/equal.ts`.
 */
export const objectOfDefaultsEqualsAbsence = true;

/**
 * Resources A.8: address blocks are stored in code-unit order, each as it was sent; of two equal ones, the first.
 * `schema/canonical.ts`.
 */
export const blocksKeepTheirSpelling = true;

/**
 * Resources A.8 does not order routes with prefixes of equal length: they keep the order in which they were sent.
 * `schema/canonical.ts`.
 */
export const equallyLongRoutesKeepTheirOrder = true;

/** Resources B2.7 gives a metric for each type; where a `keda` block stands beside no metric, it is what was meant. */
export const metricBesideKeda = 'keda';

/**
 * A request body: above the largest record that the tables of the resources allow (200 members, 150 routes a port). Who
 * sends more would have all others wait: one thread reads, checks and stores it. Deeper nesting means nothing and exhausts
 * the stack of who walks it.
 */
export const maxBodyBytes = 1024 * 1024;
export const maxBodyDepth = 100;
export const maxBodyValues = 10_000;
export const maxListItems = 1_000;
export const maxObjectMembers = 1_000;

/**
 * Specification 2.4 gives `localOptions` the shape of `defaultOptions`, and not what happens to members that are left
 * out: the local options of a location stand in place of the default ones as a whole. `schema/rules/workload/replicaBounds.ts`.
 */
export const localOptionsReplaceTheDefaultOnes = true;

/** Protocol 8.5 counts capacities in GB and use in bytes, and does not say which giga. */
export const bytesPerGb = 1e9;

/**
 * Acceptance tests that run against the real service store these, so that they are warnings of the server, in strict mode
 * too, and offline: V5 and V6 (fields; commands on a shared set stay refused), W19, W36, W37, G5, D8, D19.
 * `schema/rules/`; the answer names them in its header (`server/rules/lenient/warningHeader.ts`).
 */
export const warnedOfOnly = ['V5', 'V6', 'W19', 'W36', 'W37', 'G5', 'D8', 'D19'] as const;

/**
 * What the specification says and the real service does not hold clients to: refused, but let pass in lenient mode, beside
 * what resources F.3, 13 names. An option of a location that the GVC does not have, ports of a cron workload, an ext4 or
 * xfs set on a vm (the rule of the workload, and the same seen from the volume set). `schema/rules/workload/typeRules.ts`,
 * `schema/rules/workload/relatedRules.ts`.
 */
export const alsoLenient = ['W38', 'W8.ports', 'W31.vm', 'V9.vm'] as const;

/**
 * Resources D 15, 16, 17 and 32 propose 400 for a target that is not there; the real service takes them. It is warned of, and a
 * plan notes it. Deleting such a target while it is referred to is refused as before: `schema/facts.ts`, `mayBeMissing`.
 */
export const mayBeMissing = [
  'cloudaccount.data.secretLink',
  'gvc.spec.aliasWorkloadLink',
  'gvc.spec.keda.identityLink',
  'gvc.spec.keda.secrets',
] as const;

/** Resources A.8 proposes lower case for keys of header filters: they keep their case, and are compared without it. `schema/equal.ts`. */
export const headerFiltersKeepTheirCase = true;

/** Resources B2.2 asks for `exec` in a hook: `postStart: {}` is taken, and says as much as none. `schema/kinds/workload/container.ts`. */
export const hooksMayBeEmpty = true;

/**
 * Resources B2.1 does not model vm: its containers need no image, its volumes are disks that need no path and may have
 * `name`, `bus` and `bootOrder`, of which nothing is checked. `schema/rules/workload/vmRules.ts`.
 */
export const disksOfAVm = ['name', 'bus', 'bootOrder'] as const;

/** Resources B13 names base64 for userpass: the URL-safe alphabet (RFC 4648, 5) too. `schema/rules/secret/secretForms.ts`. */
export const passwordsMayBeUrlSafe = true;

/**
 * Specification 7 gives every error a `code`, and protocol 7.8 the codes of domains alone. Ours are spelled in the same
 * way; a refusal of which no code says more than the status has the one of its status. `schema/errorCodes.ts`.
 */
export const everyErrorHasACode = true;

/**
 * Resources F.3, 2: inside an object that was sent, the defaults that the tables of the specification state are stored and shown:
 * `metrics.path`, `httpGet.path`, all of `predictive` but `scalingFactor`, which stays inherited. Other platforms may leave them
 * out: a plan takes absent for the default. `schema/kinds/workload/container.ts`, `schema/kinds/volumeset.ts`.
 */
export const statedDefaultsAreStored = true;

/**
 * Specification 2.4.1 types `gpu.nvidia.model` as an object without members, clients send its name (resources F.1, 9): both are
 * taken and stored as sent; rule W25 looks at names alone. `schema/kinds/workload/container.ts`.
 */
export const modelIsNameOrObject = true;

/** Resources A.10 gives a schedule no length. One that lists every value of its five fields has 500 characters. */
export const longestSchedule = 1_000;
