/** The functions of a script for a POSIX shell, of which only those that the case uses are written. */

const shellFunctions: Readonly<Record<string, string>> = {
  not_played: `
not_played() {
  echo "could not be played: $*"
  exit 2
}`,
  ask: `
# Sends a request by curl, and keeps the answer. The arguments: its number, its name, method, address, others.
ask() {
  CASE_AT="$CASE_DIR/$1" CASE_METHOD=$3 CASE_URL=$4
  echo "$2" > "$CASE_AT.label"
  shift 4
  curl -sS -g --path-as-is --max-time "$((TIMEOUT_MS / 1000))" -X "$CASE_METHOD" -H 'accept: application/json' \\
    -D "$CASE_AT.head" -o "$CASE_AT.body" -w '%{http_code}' "$@" "$CASE_URL" > "$CASE_AT.status" 2> "$CASE_AT.error" ||
    echo 000 > "$CASE_AT.status"
  ! grep -q 'curl: (7)' "$CASE_DIR/1.error" || not_played "nothing answers at $CASE_URL. Please start the server, or name its address in PUBLIC and INTERNAL."
  touch "$CASE_AT.head" "$CASE_AT.body"
}`,
  help: `
# A request to the test set-up, such as to move the clock of the server.
help() {
  ask "$@"
  case $(status "$1") in 2??) ;; *) not_played "the test set-up: $(shown "$1")" ;; esac
}`,
  restart: `
# Restarts the server by the command of the environment variable RESTART.
restart() {
  [ -n "\${RESTART:-}" ] || not_played 'RESTART is not set: please set it to a command that restarts the server, and waits for it.'
  sh -c "$RESTART" > /dev/null 2>&1
}`,
  required: `
# A call that has to succeed before the fault can show.
required() {
  succeeded "$1" || not_played "\\"$(cat "$CASE_DIR/$1.label")\\" ought to succeed, and did not: $(shown "$1")"
}`,
  given: `
# A value of an answer that a later call needs.
given() {
  [ -n "$2" ] || not_played "the answer to \\"$(cat "$CASE_DIR/$1.label")\\" lacks a value: $(shown "$1")"
}`,
  successes: `
# How many of these calls succeeded.
successes() {
  CASE_COUNT=0
  for CASE_EACH in "$@"; do ! succeeded "$CASE_EACH" || CASE_COUNT=$((CASE_COUNT + 1)); done
  echo "$CASE_COUNT"
}`,
  succeeded: `
# Whether a call did what it is for: a success that is no JSON-RPC error.
succeeded() {
  case $(status "$1") in 2??) ! grep -q '"error" *: *{' "$CASE_DIR/$1.body" ;; *) false ;; esac
}`,
  told: `
# Whether a call was answered so that a client knows what is wrong: no silence, no internal error.
told() {
  case $(status "$1") in 000 | 5??) false ;; *) ! grep -q '"code" *: *-32603' "$CASE_DIR/$1.body" ;; esac
}`,
  shown: `
shown() {
  echo "HTTP $(status "$1") $(head -c 200 "$CASE_DIR/$1.body")"
}`,
  status: `
status() {
  cat "$CASE_DIR/$1.status"
}`,
  header: `
# A header of an answer.
header() {
  tr -d '\\r' < "$CASE_DIR/$1.head" | grep -i "^$2:" | head -n 1 | sed 's/^[^:]*: *//'
}`,
  cookie: `
cookie() {
  tr -d '\\r' < "$CASE_DIR/$1.head" | grep -i "^set-cookie: *$2=" | tail -n 1 | sed 's/^[^=]*=\\([^;]*\\).*/\\1/'
}`,
  member: `
# The value of a member of an answer: of those of this name, the one of this number.
member() {
  sed 's/[,{}]/&\\
/g' "$CASE_DIR/$1.body" | sed -n "s/^ *\\"$2\\" *: *\\"\\{0,1\\}\\([^\\",}]*\\).*/\\1/p" | sed -n "$3p"
}`,
  contains: `
# Whether an answer has a value in it.
contains() {
  cat "$CASE_DIR/$1.head" "$CASE_DIR/$1.body" | grep -qF -- "$2"
}`,
  digest: `
# The digest that proves a call of the internal channel: SHA-1 of the password, directly followed by the secret.
digest() {
  sha1 "$PASSWORD$1"
}`,
  sha1: `
sha1() {
  printf %s "$1" | { sha1sum 2> /dev/null || openssl dgst -sha1; } | sed 's/.*\\([0-9a-f]\\{40\\}\\).*/\\1/'
}`,
  invented: `
# A value that was never used before.
invented() {
  od -An -tx1 -N"$1" /dev/urandom | tr -d ' \\n' | cut -c1-"$1"
}`,
  base64_of: `
base64_of() {
  printf %s "$1" | { base64 2> /dev/null || openssl base64; } | tr -d '\\n'
}`,
  other_case: `
other_case() {
  printf %s "$1" | tr 'a-zA-Z' 'A-Za-z'
}`,
  origin: `
# The beginning of an address, up to its path.
origin() {
  echo "$1" | sed 's#^\\([a-z]*://[^/]*\\).*#\\1#'
}`,
};

/** The functions that this text uses, and those that they use. */
export function shellFunctionsFor(text: string): string {
  const wanted = new Set<string>();
  const need = (code: string) => {
    for (const [name, own] of Object.entries(shellFunctions))
      if (
        !wanted.has(name) &&
        new RegExp(`(?:^|\\(|; |do |if |! |\\|) *${name}(?= |\\)|$)`, 'm').test(code)
      ) {
        wanted.add(name);
        need(own);
      }
  };
  need(text);
  return Object.entries(shellFunctions)
    .filter(([name]) => wanted.has(name))
    .map(([, own]) => own)
    .join('\n')
    .trim();
}
