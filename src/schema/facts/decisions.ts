/**
 * Our rulings: answers to questions that no source about the platform answers. Each has its reason; docs/platform marks them
 * _(ours)_. Append here; never hide a choice in code. A choice that is no value the code could read has a name that the code
 * mentions, or the file that does it (`test/schema/decisions.test.ts`).
 */

/** The host of the own registry is `{org}.<this>`; images there are stored as links (platform/workload.images). */
export const ownRegistryHost = 'registry.local';

/**
 * What `$drop` does with a name that the object does not hold: it is ignored, as an unknown string of `$drop/<list>`
 * is (platform/patch.directives). A required field that is dropped is found by the validation of
 * the whole record. `patch/apply/applyPatch.ts` and `patch/apply/applyToList.ts` do this, and what the next four say.
 */
export const dropOfAbsentFieldIsIgnored = true;

/**
 * What directives mean in a new object (an item of a plain list, of `$append`, or below `$replace/`): it is merged into
 * an empty one (platform/patch.merge). Free-form JSON is taken to the letter there, so that a `null` or a `$key` in it
 * can be written at all. `patch/apply/applyPatch.ts`.
 */
export const newObjectsAreMergedIntoNothing = true;

/**
 * List directives on a list that is absent work on an empty one; it stays absent if nothing is added.
 * `patch/apply/applyToList.ts`.
 */
export const absentListIsEmpty = true;

/**
 * Where several items have the same key, `$drop` and `$retain` mean all of them, `$patch` is a 400.
 * `patch/apply/applyToList.ts`.
 */
export const patchOfAmbiguousKeyIsRefused = true;

/**
 * An item of `$append` without a key (a route without prefix) is added; only equal keys are refused.
 * `patch/apply/applyToList.ts`.
 */
export const appendWithoutKeyIsAdded = true;

/**
 * An absent object equals an empty one (platform/concepts.filled). One that holds only defaults (`multiZone:
 * {enabled: false}`) says no more than that, so it is equal to absence too, except where its presence means something
 * by itself (a probe handler, `cors`, a tracing provider). `schema/normalForm/equal.ts`.
 */
export const objectOfDefaultsEqualsAbsence = true;

/**
 * Address blocks are stored in code-unit order, each as it was sent; of two equal ones, the first.
 * `schema/normalForm/canonical.ts`.
 */
export const blocksKeepTheirSpelling = true;

/**
 * Routes with prefixes of equal length keep the order in which they were sent (platform/concepts.rewritten).
 * `schema/normalForm/canonical.ts`.
 */
export const equallyLongRoutesKeepTheirOrder = true;

/**
 * Each type has a usual metric; where a `keda` block stands beside no metric, it is what was meant
 * (platform/workload.autoscaling).
 */
export const metricBesideKeda = 'keda';

/**
 * A request body: above the largest record that the limits allow (200 members, 150 routes a port;
 * platform/concepts.limits). Who sends more would have all others wait: one thread reads, checks and stores it. Deeper
 * nesting means nothing and exhausts the stack of who walks it.
 */
export const maxBodyBytes = 1024 * 1024;
export const maxBodyDepth = 100;
export const maxBodyValues = 10_000;
export const maxListItems = 1_000;
export const maxObjectMembers = 1_000;

/**
 * `localOptions` have the shape of `defaultOptions`, and nothing says what happens to members that are left out: the
 * local options of a location stand in place of the default ones as a whole. `schema/rules/workload/replicaBounds.ts`.
 */
export const localOptionsReplaceTheDefaultOnes = true;

/** Capacities are in GB and use is in bytes, and nothing says which giga (platform/volumeset.classes). */
export const bytesPerGb = 1e9;

/**
 * Acceptance tests that run against the real service store these, so that they are warnings of the server, in strict mode
 * too, and offline: V5 and V6 (fields; commands on a shared set stay refused), W19, W36, W37, G5, D8, D19.
 * `schema/rules/`; the answer names them in its header (`server/rules/lenient/warningHeader.ts`).
 */
export const warnedOfOnly = ['V5', 'V6', 'W19', 'W36', 'W37', 'G5', 'D8', 'D19'] as const;

/**
 * What the specification of the platform says and the real service does not hold clients to: refused, but let pass in
 * lenient mode (platform/errors.lenient). An option of a location that the GVC does not have, ports of a cron workload,
 * an ext4 or xfs set on a vm (the rule of the workload, and the same seen from the volume set).
 * `schema/rules/workload/typeRules.ts`, `schema/rules/workload/relatedRules.ts`.
 */
export const alsoLenient = ['W38', 'W8.ports', 'W31.vm', 'V9.vm'] as const;

/**
 * The real service takes these references to a target that is not there (platform/deletion.dangling). It is warned of, and a
 * plan notes it. Deleting such a target while it is referred to is refused as before: `schema/facts/fieldFacts.ts`, `mayBeMissing`.
 */
export const mayBeMissing = [
  'cloudaccount.data.secretLink',
  'gvc.spec.aliasWorkloadLink',
  'gvc.spec.keda.identityLink',
  'gvc.spec.keda.secrets',
] as const;

/** Keys of header filters keep their case, and are compared without it, as the real service does. `schema/normalForm/equal.ts`. */
export const headerFiltersKeepTheirCase = true;

/** The real service takes `postStart: {}`, which says as much as none. `schema/kinds/workload/container.ts`. */
export const hooksMayBeEmpty = true;

/**
 * Nothing describes the type vm: its containers need no image, its volumes are disks that need no path and may have
 * `name`, `bus` and `bootOrder`, of which nothing is checked. `schema/rules/workload/vmRules.ts`.
 */
export const disksOfAVm = ['name', 'bus', 'bootOrder'] as const;

/**
 * Base64 of userpass may use the URL-safe alphabet (RFC 4648) too, as the real service takes it.
 * `schema/rules/secret/secretForms.ts`.
 */
export const passwordsMayBeUrlSafe = true;

/**
 * Every error has a `code`, and only those of domains are known (platform/errors.codes). Ours are spelled in the same
 * way; a refusal of which no code says more than the status has the one of its status. `schema/facts/errorCodes.ts`.
 */
export const everyErrorHasACode = true;

/**
 * Inside an object that was sent, the defaults that the specification of the platform states are stored and shown
 * (platform/concepts.filled): `metrics.path`, `httpGet.path`, all of `predictive` but `scalingFactor`, which stays
 * inherited. Other platforms may leave them out: a plan takes absent for the default.
 * `schema/kinds/workload/container.ts`, `schema/kinds/volumeset.ts`.
 */
export const statedDefaultsAreStored = true;

/**
 * The specification of the platform has `gpu.nvidia.model` as an object without members, clients send its name: both are
 * taken and stored as sent; rule W25 looks at names alone. `schema/kinds/workload/container.ts`.
 */
export const modelIsNameOrObject = true;

/** Nothing bounds a schedule (platform/concepts.quantities). One that lists every value of its five fields has 500 characters. */
export const longestSchedule = 1_000;
