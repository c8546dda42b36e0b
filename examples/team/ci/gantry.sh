#!/bin/sh
# The steps of a pipeline that plans and applies with Gantry. "gantry ci init" wrote this file; it is yours to change.
#
#   ci/gantry.sh plan      plan, keep the plan, and report it on the pull or merge request
#   ci/gantry.sh fetch     after the merge: fetch the plan that was kept for it, and show it
#   ci/gantry.sh approve   sign that plan
#   ci/gantry.sh apply     apply it, and see that nothing else is left to do
#   ci/gantry.sh drift     look for what others have changed since the last apply
#
# Settings (variables of the pipeline):
#
#   GANTRY_CI_PATH          the folder of the stack, or of the app with its stacks (default: the root of the repository)
#   GANTRY_STACK            one stack of the app (default: all of them, as one)
#   GANTRY_ENV              the environment; the plan of each is kept by itself
#   GANTRY_TOKEN            the token for the platform: may read in plan and drift, may change in apply
#   GANTRY_PLAN_KEY         the private key that signs plans (optional)
#   GANTRY_APPROVAL_KEY     the private key that signs approvals (optional)
#   GANTRY_NOTIFY           the addresses that are told of the end of an apply, and of drift (optional)
#
# The public keys of both are named by "signers" in gantry.yaml; a plan without their signatures is refused then.
set -eu

path=${GANTRY_CI_PATH:-.}
artifact=gantry-plan${GANTRY_ENV:+-$GANTRY_ENV}
root=$(pwd)
plan=$root/gantry.plan
report=$root/gantry-report

# What "npm ci" has installed.
PATH=$root/node_modules/.bin:$PATH

# Writes the value of a secret to a file that only this user can read. It is removed when the script ends, however it does.
private_file() {
  umask 077
  private=$(mktemp)
  trap 'rm -f "$private"' EXIT
  trap 'end 129' HUP
  trap 'end 130' INT
  trap 'end 143' TERM
  printf '%s\n' "$1" >"$private"
  unset GANTRY_PLAN_KEY GANTRY_APPROVAL_KEY
}

# A shell handles signals at once only while it waits.
interruptible() {
  "$@" &
  running=$!
  wait "$running"
}

end() {
  kill "${running:-}" 2>/dev/null || true
  exit "$1"
}

plan() {
  cd "$path"
  set -- plan . --all --out "$plan" --report "$report.md" --report "$report.html" --detailed-exitcode
  if [ -n "${GANTRY_PLAN_KEY:-}" ]; then
    private_file "$GANTRY_PLAN_KEY"
    set -- "$@" --sign "$private"
  fi
  status=0
  interruptible gantry "$@" || status=$?
  if [ -f "$report.md" ]; then comment; fi
  if [ "$status" != 0 ] && [ "$status" != 2 ]; then exit "$status"; fi
}

# One comment for each stack and environment: a later report takes the place of the earlier one.
comment() {
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat "$report.md" >>"$GITHUB_STEP_SUMMARY"; fi
  if [ "${GITHUB_ACTIONS:-}${GITLAB_CI:-}" = true ]; then gantry ci comment "$report.md"; fi
}

fetch() {
  gantry ci fetch "$plan" --artifact "$artifact"
  gantry show "$plan"
}

approve() {
  if [ -z "${GANTRY_APPROVAL_KEY:-}" ]; then
    echo 'GANTRY_APPROVAL_KEY is not set: the approval is not signed.'
    return
  fi
  private_file "$GANTRY_APPROVAL_KEY"
  cd "$path"
  interruptible gantry approve "$plan" --sign "$private" --yes
}

apply() {
  cd "$path"
  gantry apply "$plan" --yes --report "$report.md" --report "$report.html"
  # What is declared after the merge is what was planned before it, unless something else was merged in between, or a
  # deletion had to wait until another stack was applied.
  status=0
  GANTRY_NOTIFY='' gantry plan . --all --detailed-exitcode || status=$?
  if [ "$status" = 2 ]; then
    echo 'The plan was applied. The changes above were not part of it: plan and apply them with a new pull or merge request.' >&2
  fi
  exit "$status"
}

drift() {
  cd "$path"
  gantry drift . --all --detailed-exitcode --report "$report.md" --report "$report.html"
}

case ${1:-} in
  plan | fetch | approve | apply | drift) "$1" ;;
  *)
    echo "usage: $0 plan|fetch|approve|apply|drift" >&2
    exit 64
    ;;
esac
