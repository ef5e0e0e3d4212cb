#!/usr/bin/env bash
# What an authorization server and a client send to an EHR server. Replace the calls one by one by your own.
# Make the patients, then start the server with sessions in memory; restart it to run this again:
#   npm run fixtures
#   EHR_INTERNAL_USER=auth-server EHR_INTERNAL_PASSWORD=internal-password npm run ehr -- \
#     --database :memory: --mis-database .data/ehr.sqlite --internal-port 4102
set -euo pipefail

PUBLIC=http://127.0.0.1:4100/1.0-alpha/
INTERNAL=http://127.0.0.1:4102/1.0-alpha/
PASSWORD=internal-password

# call URL METHOD PARAMS [CRED] sends one call; get .path reads a member of the last answer.
call() {
  ANSWER=$(curl -sS "$1" -H 'Content-Type: application/json' \
    -d '{"jsonrpc":"2.0","id":1,"method":"'"$2"'","params":'"$3"',"cred":'"${4:-null}"'}')
  printf '%s: %s\n' "$2" "$ANSWER"
}
get() { node -p "JSON.parse(process.argv[1])$1" "$ANSWER"; }
# internal SECRET makes the cred of the internal channel.
internal() { printf '{"user":"auth-server","token":"%s"}' "$(printf '%s' "$PASSWORD$1" | sha1sum | cut -c 1-40)"; }

# Your server leaves an exchange token; your client uses it.
AUTH_INFO='{"user":"user-1","token":"session-1","ttl":1440}'
call "$INTERNAL" embedded_storage.save_exchange_token '{"exchangeToken":"exchange-1","authInfo":'"$AUTH_INFO"'}' "$(internal exchange-1)"
call "$PUBLIC" embedded_storage.authenticate '{"exchangeToken":"exchange-1","patientProperties":
  {"name":"Anna","surname":"Petrova","date":"1985-04-12 00:00:00.000","gender":1,"phone":"79990000001"}}'
USER_SIGN=$(get .result.user_sign)

# Your client tells your server the user_sign; your server records the session. Once: the second time it is refused.
call "$INTERNAL" embedded_storage.save_auth_info '{"authInfo":'"$AUTH_INFO"'}' "$(internal "$USER_SIGN")"
call "$INTERNAL" embedded_storage.save_auth_info '{"authInfo":'"$AUTH_INFO"'}' "$(internal "$USER_SIGN")"

# The next sign-in: a new token, saved directly. Your client reads the record at once.
call "$INTERNAL" embedded_storage.save_auth_info '{"authInfo":{"user":"user-1","token":"session-2","ttl":1440}}' "$(internal "$USER_SIGN")"
call "$PUBLIC" patient.get_patient '{}' '{"user":"user-1","token":"session-2"}'

# Logging out: your client calls the EHR server first, and your server only after its success.
call "$PUBLIC" embedded_storage.remove_auth_info '{}' '{"user":"user-1","token":"session-2"}'
