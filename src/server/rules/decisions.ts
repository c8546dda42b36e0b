/** The same as `schema/facts/limits.ts`, for what only the platform decides: each with our reason. Append here. */

/**
 * Clients take 200 and 202 for DELETE (platform/wire.operations): one status for every kind, so that no client counts on a
 * finished one.
 */
export const deletionStatus = 202;

/** The page of a list, and the most that `?limit=` gets (platform/wire.lists), so that no reply holds a whole collection. */
export const usualPage = 50;
export const largestPage = 1000;

/** Nothing says how large the value of a secret may be: a megabyte in any encoding. */
export const maxSecretBytes = 2 * 1024 * 1024;

/** So many problems of a body are looked for: more help nobody, and finding 300,000 of them takes seconds. */
export const mostProblems = 100;

/** A snapshot is the state of a whole platform: below the longest text that Node can hold. */
export const maxSnapshotBytes = 400 * 1024 * 1024;

/** Letters and digits of the alias of a GVC (platform/gvc.alias). */
export const aliasLength = 13;

/** Addresses lie below names that are reserved for examples: no request to them leaves the machine. */
export const publicDomain = 'apps.example';
export const internalDomain = 'internal.example';

/** The block that is set aside for benchmarks: no host on the internet has an address of an IP set (platform/ipset.addresses). */
export const addressBlock = '198.18';

/**
 * Which refusal comes first where several hold: token 401, path 404, method 405, body 400, parent or record 404, permission 403,
 * existing name 409, stale version 409, content 400, permission for the content 403 (`use`, `configureLoadBalancer`), built-in
 * 400. A write that changes nothing is answered before it is refused as one of a built-in record only where no rule of the kind
 * speaks first. `dispatch/dispatch.ts` and `records/writeRecord.ts`.
 */
export const orderOfRefusals = [
  'token',
  'path',
  'method',
  'body',
  'parent',
  'permission',
  'name',
  'version',
  'content',
  'use',
  'built-in',
];

/**
 * A deleted member leaves its groups (platform/deletion.cascade): a change of what their clients own, so versions rise.
 * `records/removeRecord.ts`.
 */
export const leavingAGroupRaisesItsVersion = true;

/**
 * A database may hold several orgs, made by `POST /org`. A start with the name of one that is not there is refused where there
 * are others: a slip of the pen must not look like an empty platform. `service.ts`.
 */
export const unknownOrgIsRefusedAtStart = true;

/**
 * Clients know `=~` without a dialect (platform/query.terms): what JavaScript and RE2 have in common, at most 256 characters.
 * Groups that are referred to and looking around are refused: they can take exponential time. `rules/query/pattern.ts` matches.
 */
export const longestQueryPattern = 256;

/**
 * Nobody says how long a value may be that `=~` looks at: of a longer one its beginning is looked at. An expression of 256
 * characters over a text of half a megabyte took nine seconds. `rules/query/queryMatch.ts`.
 */
export const longestMatchedText = 1_000;

/**
 * Nothing bounds a query. Every record is looked at by every term, in the one thread that answers everybody: twenty expressions
 * over a thousand records took five seconds. Clients ask for some hundred names at once.
 */
export const mostQueryTerms = 1000;
export const mostQueryPatterns = 10;
export const longestQueryPath = 1000;

/**
 * Nothing bounds how many requests a client sends at once. So many of one caller that take longer than a slice (queries, scans of
 * the audit trail) are under way at once; one more is refused with 429. They share one turn with each other, so that other
 * callers do not wait for them.
 */
export const mostLongRequests = 50;

/** Values are put into order by so many of their first characters: what a page has to remember is bounded. */
export const longestSortText = 1000;

/**
 * Nothing says who makes the first key (platform/access.tokens): every org has a bootstrap user, a member of its superusers, who
 * is behind the first token. Below a reserved domain.
 */
export const bootstrapUser = 'admin@example.com';

/** Schedules have no time zone (platform/workload.job): those of workloads and snapshots are in UTC. `rules/cron/schedule.ts`. */
export const schedulesAreInUtc = true;

/**
 * `Forbid` (platform/cron.policy): the times of the schedule that come during a run are skipped for good. The first time after
 * its end starts the next execution; nothing starts at the end itself. `rules/cron/step.ts`.
 */
export const forbiddenTimesAreSkipped = true;

/**
 * Run-now ignores the concurrency policy (platform/commands.run-now), in both directions: an execution of a command holds no
 * schedule up.
 */
export const runNowDoesNotHoldTheSchedule = true;

/** The pause before a failed run is repeated doubles from this many seconds; so many repetitions (platform/cron.end). */
export const cronBackOffSeconds = 10;
export const cronRetries = 6;

/** A server that was down does not run what it missed: a time of the schedule is missed when it is this late. */
export const cronMissedAfterMs = 60_000;

/**
 * `historyLimit` (platform/cron.end): in each location; what still goes on is not counted, executions of commands are.
 * `rules/cron/step.ts`.
 */
export const historyCountsEndedExecutions = true;

/** Records that prove an ownership have 600 seconds (platform/domain.ownership); those of `dnsConfig` get as many. */
export const dnsRecordTtl = 600;

/** An apex has addresses in place of a CNAME (platform/domain.status); two of the block for benchmarks that no IP set gets. */
export const anycastAddresses = ['198.19.255.1', '198.19.255.2'];

/** A name is also proven (platform/domain.ownership) by the record of a name above it, and by a domain above it that the org has. */
export const whoHasTheParentHasTheName = true;

/**
 * The stages of a domain are known (platform/domain.status) and not their length: those before `ready` take equal parts of the
 * time that workloads need too. They begin again when DNS or certificates depend on something else; a warning hides them. A
 * location for which the platform gets no certificate (no TLS, or an own one on each port) shows `ignored`.
 * `rules/domains/domainStage.ts`.
 */
export const domainStagesTakeEqualTime = true;

/**
 * The form of the endpoints of a domain is not known (platform/domain.status): the prefix of a route is part of the address, that
 * of a regex not; replicas are `<workload>-<index>.<domain>`; plain TCP is `tcp://host:port`. `rules/domains/domainEndpoints.ts`.
 */
export const domainEndpointForms = ['https', 'http', 'tcp'];

/** A person who is in the org already needs no invitation; he joins the group of the request at once. `routes/oneKind/userRoutes.ts`. */
export const membersAreNotInvited = true;

/** No type of a task is known but that of an invitation to an org, and not its word (platform/task.answers). */
export const invitationTask = 'invitation';

/** Of two open invitations of one person to the same, the newer one stands, the older one is canceled. `state/taskState.ts`. */
export const newerInvitationCancelsTheOlder = true;

/**
 * No quota is known by name (platform/quota.limits): one for the number of records of each kind that clients make, and one for
 * storage in GB.
 */
export const quotasOfAnOrg = true;

/** What `-info` of an agent says is not known (platform/agent.bootstrap): here no agent ever runs, so that it is not connected. */
export const agentsNeverConnect = true;

/** Warnings are in a header (platform/errors.warnings), in the form of RFC 8941. `rules/records/warningHeader.ts`. */
export const warningsAreAHeader = true;

/**
 * There is a permission `use`, and nothing says when it is asked for (platform/access.needs): a write that refers to an identity,
 * secret, domain, agent or cloud account to which the record did not refer before needs it, beside the permission on the record
 * itself. Policies and groups speak about records and do not use them. `rules/access/writeNeeds.ts`.
 */
export const newReferencesNeedUse = true;

/**
 * One policy hits a record in several ways: the access report shows the first of these (platform/access.report).
 * `rules/access/accessReport.ts`.
 */
export const accessReportMatches = ['link', 'query', 'all'];

/**
 * No permission is known for the access report of a record: `view` of it (platform/access.report). Only the org has one of its
 * own.
 */
export const accessReportPermission = 'view';

/**
 * On what a permission for a record that is not there yet is asked for (platform/access.needs): `create` and `invite` are granted
 * by a policy with `target: all`, with the future link of the record, or with a query that the new record matches.
 * `access/accessTarget.ts`.
 */
export const policiesHitNewRecords = true;

/** DELETE is a way to cancel (platform/commands.stages): what goes on is cancelled, or that is requested; what ended is deleted. */
export const deletingACommand = 'cancels it while it goes on';

/** A requested cancellation takes this long, so that its stage can be seen. */
export const cancellationMs = 100;

/** An org has a link to its account, and there is a path `/account`: here one account holds every org (platform/org.life). */
export const localAccount = 'local';

/**
 * There is one audit event for each refused write (platform/audit.trail). A request without a valid token has no subject, and
 * whoever can reach the port could fill the trail with such events: it is in the log of the server only. `dispatch/dispatch.ts`.
 */
export const refusedTokensAreNotAudited = true;

/** A run-now begins its execution at once; its command is pending for this long, or half of a shorter run. */
export const pendingMs = 100;

/**
 * The formats of endpoint names are known and not their form (platform/lifecycle.endpoints): `org` is
 * `<workload>-<alias>.<org>.apps.example`, `legacy` and `default` leave the org out. A location stands before that domain.
 * `rules/workloads/endpoints.ts`.
 */
export const endpointNames = ['org', 'legacy', 'default'];

/**
 * Some types may have no endpoint (platform/lifecycle.endpoints): without a port, the status of a workload has no `endpoint` at
 * all. `rules/workloads/endpoints.ts`.
 */
export const noPortNoEndpoint = true;

/**
 * A rollout waits (platform/lifecycle.rollout) while a secret that its record refers to is missing. Whether a policy lets the
 * identity of the workload reveal it is not looked at, and `syncFailed` is never true: what it depends on cannot be deleted under
 * it. `presenter/workloadNeeds.ts`.
 */
export const rolloutsWaitForMissingSecrets = true;

/** `times` of a simulation counts the runs in each location, repetitions of a failed run included. `rules/cron/simulatedRuns.ts`. */
export const simulatedRunsCountInEachLocation = true;

/**
 * Names of replicas are known of stateful workloads alone (platform/lifecycle.replicas): others are
 * `<workload>-<version>-<index>`. `rules/workloads/replicaNames.ts`.
 */
export const replicaNamesCarryTheVersion = true;

/** A virtual clock goes on by a year at once at most: what is due on the way all happens. */
export const longestStepMs = 366 * 86_400_000;

/** The region of a self-hosted location is its name (platform/location.own). `state/platformState.ts`. */
export const regionOfAnOwnLocation = 'its name';

/**
 * Later reads of an agent hide its token (platform/agent.bootstrap): they show nothing of `bootstrapConfig`, which is in the
 * answer to the creation alone. `rules/kinds/bootstrapConfig.ts`.
 */
export const bootstrapConfigIsShownOnce = true;

/** For how many days a new org keeps its logs, metrics and traces (platform/org.life). `records/createOrg.ts`. */
export const firstRetention = { logsRetentionDays: 30, metricsRetentionDays: 30, tracesRetentionDays: 30 };

/** The description of a location that every org has (platform/location.built-in). `rules/kinds/builtInLocations.ts`. */
export const descriptionOfALocation = 'provider, region (place)';

/**
 * Clients put a slash behind paths: one is ignored, in requests only. In a body, a link with one is an error
 * (platform/concepts.links).
 */
export const oneTrailingSlashIsIgnored = true;

/** A secret that the org record names can be deleted: nothing that an org holds is in the way (platform/deletion.refusal). */
export const orgsHoldNothing = true;

/**
 * Applications write into audit contexts, and nothing excepts the platform's own (platform/audit.write). There every event is
 * what the platform saw, and planners tell people who did what from it: clients write into contexts of their own, where
 * `context.eventSource` and the posted time say who wrote and when. `routes/everyKind/auditRoutes.ts`.
 */
export const ownContextIsClosed = true;

/**
 * The members of a query are known, and nothing is said of others (platform/query.form). They are refused: a mistyped `terms`
 * would match every record. `rules/query/query.ts`.
 */
export const unknownQueryMembersAreRefused = true;
