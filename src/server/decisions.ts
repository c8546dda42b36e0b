/**
 * The same as `schema/decisions.ts`, for what only the platform decides: each with its section and our reason. Append
 * here.
 */

/**
 * Protocol 3.1 allows 200 and 202 for DELETE: one status for every kind, so that no client counts on a finished one.
 */
export const deletionStatus = 202;

/** Protocol 10, 2: the page of a list, and the most that `?limit=` gets, so that no reply holds a whole collection. */
export const usualPage = 50;
export const largestPage = 1000;

/** No document says how large the value of a secret may be: a megabyte in any encoding. */
export const maxSecretBytes = 2 * 1024 * 1024;

/** So many problems of a body are looked for: more help nobody, and finding 300,000 of them takes seconds. */
export const mostProblems = 100;

/** A snapshot is the state of a whole platform: below the longest text that Node can hold. */
export const maxSnapshotBytes = 400 * 1024 * 1024;

/** Protocol 10, 22: letters and digits of the alias of a GVC. */
export const aliasLength = 13;

/** Protocol 10, 21: addresses lie below names that are reserved for examples: no request to them leaves the machine. */
export const publicDomain = 'apps.example';
export const internalDomain = 'internal.example';

/** Resources B6: the block that is set aside for benchmarks: no host on the internet has an address of an IP set. */
export const addressBlock = '198.18';

/**
 * Which refusal comes first where several hold: token 401, path 404, method 405, body 400, parent or record 404,
 * permission 403, existing name 409, stale version 409, content 400, permission for the content 403 (`use`,
 * `configureLoadBalancer`), built-in 400. A write that changes nothing is answered before it is refused as one of a
 * built-in record only where no rule of the kind speaks first. `routes/dispatch.ts` and `routes/writeRecord.ts`.
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
 * Resources D 29 takes a deleted member out of its groups: a change of what their clients own, so versions rise.
 * `routes/removeRecord.ts`.
 */
export const leavingAGroupRaisesItsVersion = true;

/**
 * A database may hold several orgs, made by `POST /org`. A start with the name of one that is not there is refused
 * where there are others: a slip of the pen must not look like an empty platform. `service.ts`.
 */
export const unknownOrgIsRefusedAtStart = true;

/**
 * Protocol 3.4 lists `=~` without a dialect: what JavaScript and RE2 have in common, at most 256 characters. Groups
 * that are referred to and looking around are refused: they can take exponential time. `rules/pattern.ts` matches.
 */
export const longestQueryPattern = 256;

/**
 * Protocol 3.4 bounds no query. Every record is looked at by every term, in the one thread that answers everybody: twenty
 * expressions over a thousand records took five seconds. Clients ask for some hundred names at once.
 */
export const mostQueryTerms = 1000;
export const mostQueryPatterns = 10;
export const longestQueryPath = 1000;

/**
 * Nothing bounds how many requests a client sends at once. So many of one caller that take longer than a slice (queries, scans
 * of the audit trail) are under way at once; one more is refused with 429. They share one turn with each other, so that
 * other callers do not wait for them.
 */
export const mostLongRequests = 50;

/** Values are put into order by so many of their first characters: what a page has to remember is bounded. */
export const longestSortText = 1000;

/**
 * Specification 5 does not say who makes the first key: every org has a bootstrap user, a member of its superusers, who
 * is behind the first token. Below a reserved domain.
 */
export const bootstrapUser = 'admin@example.com';

/**
 * Specification 2.4.4 names no time zone: schedules of workloads and snapshots are in UTC. `rules/cron/schedule.ts`.
 */
export const schedulesAreInUtc = true;

/**
 * Specification 3, `Forbid`: the times of the schedule that come during a run are skipped for good. The first time
 * after its end starts the next execution; nothing starts at the end itself. `rules/cron/step.ts`.
 */
export const forbiddenTimesAreSkipped = true;

/**
 * Specification 4.3, "concurrencyPolicy is ignored", in both directions: an execution of a command holds no schedule
 * up.
 */
export const runNowDoesNotHoldTheSchedule = true;

/** Issue 3, point 6: the pause before a failed run is repeated doubles from this many seconds; so many repetitions. */
export const cronBackOffSeconds = 10;
export const cronRetries = 6;

/** A server that was down does not run what it missed: a time of the schedule is missed when it is this late. */
export const cronMissedAfterMs = 60_000;

/**
 * Specification 2.4.4, `historyLimit`: in each location; what still goes on is not counted, executions of commands are.
 * `rules/cron/step.ts`.
 */
export const historyCountsEndedExecutions = true;

/** Protocol 7.8 gives the records that prove an ownership 600 seconds; those of `dnsConfig` get as many. */
export const dnsRecordTtl = 600;

/** Protocol 8.3: an apex has addresses in place of a CNAME; two of the block for benchmarks that no IP set gets. */
export const anycastAddresses = ['198.19.255.1', '198.19.255.2'];

/** Protocol 7.8: a name is also proven by the record of a name above it, and by a domain above it that the org has. */
export const whoHasTheParentHasTheName = true;

/**
 * Protocol 8.3 gives the stages of a domain and not their length: those before `ready` take equal parts of the time
 * that workloads need too. They begin again when DNS or certificates depend on something else; a warning hides them. A
 * location for which the platform gets no certificate (no TLS, or an own one on each port) shows `ignored`.
 * `rules/domains/domainStage.ts`.
 */
export const domainStagesTakeEqualTime = true;

/**
 * Specification 2.5 lists endpoints without their form: the prefix of a route is part of the address, that of a regex
 * not; replicas are `<workload>-<index>.<domain>`; plain TCP is `tcp://host:port`. `rules/domains/domainEndpoints.ts`.
 */
export const domainEndpointForms = ['https', 'http', 'tcp'];

/**
 * Protocol 2.2: a person who is in the org already needs no invitation; he joins the group of the request at once.
 * `routes/userRoutes.ts`.
 */
export const membersAreNotInvited = true;

/** Protocol 7.5 names no type of a task but that of an invitation to an org, and not its word. */
export const invitationTask = 'invitation';

/**
 * Protocol 10, 19: of two open invitations of one person to the same, the newer one stands, the older one is canceled.
 * `routes/taskWork.ts`.
 */
export const newerInvitationCancelsTheOlder = true;

/**
 * Resources B14 names no quota: one for the number of records of each kind that clients make, and one for storage in
 * GB.
 */
export const quotasOfAnOrg = true;

/** Protocol 2.2 does not show what `-info` of an agent says: here no agent ever runs, so that it is not connected. */
export const agentsNeverConnect = true;

/**
 * Design 7 asks for warnings in a header and leaves its form open: a list of RFC 8941.
 * `rules/lenient/warningHeader.ts`.
 */
export const warningsAreAHeader = true;

/**
 * Protocol 7.4 lists `use` and does not say when it is asked for: a write that refers to an identity, secret, domain,
 * agent or cloud account to which the record did not refer before needs it, beside the permission on the record itself.
 * Policies and groups speak about records and do not use them. `rules/access/writeNeeds.ts`.
 */
export const newReferencesNeedUse = true;

/**
 * Protocol 7.3: one policy hits a record in several ways: the access report shows the first of these.
 * `rules/access/accessReport.ts`.
 */
export const accessReportMatches = ['link', 'query', 'all'];

/** Protocol 7.4 has no permission for the access report of a record: `view` of it. Only the org has one of its own. */
export const accessReportPermission = 'view';

/**
 * Protocol 7.4 does not say on what a record that is not there yet is asked for: `create` and `invite` are granted by a
 * policy with `target: all`, with the future link of the record, or with a query that the new record matches.
 * `routes/accessTarget.ts`.
 */
export const policiesHitNewRecords = true;

/**
 * Protocol 3.5 names DELETE as a way to cancel: what goes on is cancelled, or that is requested; what ended is deleted.
 */
export const deletingACommand = 'cancels it while it goes on';

/** A requested cancellation takes this long, so that its stage can be seen (protocol 3.5). */
export const cancellationMs = 100;

/** Protocol 8.6 gives an org a link to its account, and 1.4 a path `/account`: here one account holds every org. */
export const localAccount = 'local';

/**
 * Protocol 7.1 wants one audit event for each refused write. A request without a valid token has no subject, and
 * whoever can reach the port could fill the trail with such events: it is in the log of the server only.
 * `routes/dispatch.ts`.
 */
export const refusedTokensAreNotAudited = true;

/**
 * A run-now begins its execution at once; its command is pending for this long, or half of a shorter run (protocol
 * 3.5).
 */
export const pendingMs = 100;

/**
 * Resources A.7 names the formats of endpoint names and not their form: `org` is
 * `<workload>-<alias>.<org>.apps.example`, `legacy` and `default` leave the org out. A location stands before that
 * domain. `rules/workloads/endpoints.ts`.
 */
export const endpointNames = ['org', 'legacy', 'default'];

/**
 * Specification 3 lets some types have no endpoint: without a port, the status of a workload has no `endpoint` at all.
 * `rules/workloads/endpoints.ts`.
 */
export const noPortNoEndpoint = true;

/**
 * Resources D 3: a rollout waits while a secret that its record refers to is missing. Whether a policy lets the
 * identity of the workload reveal it is not looked at, and `syncFailed` is never true: what it depends on cannot be
 * deleted under it. `routes/workloadNeeds.ts`.
 */
export const rolloutsWaitForMissingSecrets = true;

/**
 * Issue 3, point 6: `times` of a simulation counts the runs in each location, repetitions of a failed run included.
 * `rules/cron/simulatedRuns.ts`.
 */
export const simulatedRunsCountInEachLocation = true;

/**
 * Specification 3 names the replicas of stateful workloads alone: others are `<workload>-<version>-<index>`.
 * `rules/workloads/replicaNames.ts`.
 */
export const replicaNamesCarryTheVersion = true;

/** Issue 3, "Time": a virtual clock goes on by a year at once at most: what is due on the way all happens. */
export const longestStepMs = 366 * 86_400_000;

/** Resources B11 does not say what the region of a self-hosted location is: its name. `routes/keptState.ts`. */
export const regionOfAnOwnLocation = 'its name';

/**
 * Resources B14 lets later reads hide the token of an agent: they show nothing of `bootstrapConfig`, which is in the answer to
 * the creation alone. `rules/agents/bootstrapConfig.ts`.
 */
export const bootstrapConfigIsShownOnce = true;

/** Resources B14: what a new org keeps its logs, metrics and traces for. `foundOrg.ts`. */
export const firstRetention = { logsRetentionDays: 30, metricsRetentionDays: 30, tracesRetentionDays: 30 };

/** Design 7: the description of a location that every org has. `rules/locations/builtInLocations.ts`. */
export const descriptionOfALocation = 'provider, region (place)';

/** Clients put a slash behind paths: one is ignored, in requests only. In a body, a link with one is an error (resources A.6). */
export const oneTrailingSlashIsIgnored = true;

/** Resources D 33 proposes 400 for the deletion of a secret that the org record names: nothing that an org holds is in the way. */
export const orgsHoldNothing = true;

/**
 * Protocol 7.1 lets applications write into an audit context and does not except the platform's own. There every event is
 * what the platform saw, and planners tell people who did what from it: clients write into contexts of their own, where
 * `context.eventSource` and the posted time say who wrote and when. `routes/auditRoutes.ts`.
 */
export const ownContextIsClosed = true;

/**
 * Protocol 3.4 lists the members of a query and says nothing of others. They are refused: a mistyped `terms` would match
 * every record. `rules/query.ts`.
 */
export const unknownQueryMembersAreRefused = true;
