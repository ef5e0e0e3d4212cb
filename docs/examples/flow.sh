#!/usr/bin/env bash
# The whole flow by curl, against the demo. It needs curl and node. Each step prints the method and the answer.
# Another code can be requested half a minute later. Then confirm_otp answers "linked":true: the link outlives
# the session.
set -euo pipefail

EHR=http://127.0.0.1:4100/1.0-alpha/
AUTH=http://127.0.0.1:4200
PHONE=79990000001

# call URL METHOD PARAMS [CRED] sends one call; get .path reads a member of the last answer.
call() {
  ANSWER=$(curl -sS "$1" -H 'Content-Type: application/json' \
    -d '{"jsonrpc":"2.0","id":1,"method":"'"$2"'","params":'"$3"',"cred":'"${4:-null}"'}')
  printf '%s: %s\n' "$2" "$ANSWER"
}
get() { node -p "JSON.parse(process.argv[1])$1" "$ANSWER"; }

# Sign in: ask for a code, read it from the simulated SMS, confirm it.
call "$AUTH" auth.request_otp '{"phone":"'"$PHONE"'"}'
ANSWER=$(curl -sS "$AUTH/outbox?to=$PHONE&wait=10")
CODE=$(get '[0].code')
call "$AUTH" auth.confirm_otp '{"phone":"'"$PHONE"'","code":"'"$CODE"'"}'
CRED='{"user":"'"$(get .result.authInfo.user)"'","token":"'"$(get .result.authInfo.token)"'"}'

# The EHR server does not know this user yet: not_authorized.
call "$EHR" patient.get_patient '{}' "$CRED"

# Get an exchange token, and say who the patient is: to the EHR server alone, and without cred.
call "$AUTH" auth.exchange_token '{}' "$CRED"
EXCHANGE_TOKEN=$(get .result.exchangeToken)
call "$EHR" embedded_storage.authenticate '{"exchangeToken":"'"$EXCHANGE_TOKEN"'","patientProperties":
  {"name":"Anna","surname":"Petrova","date":"1985-04-12 00:00:00.000","gender":1,"phone":"79990000001"}}'
USER_SIGN=$(get .result.user_sign)

# Tell the authorization server, which records the session; then read the record.
call "$AUTH" auth.report_link '{"user_sign":"'"$USER_SIGN"'"}' "$CRED"
call "$EHR" patient.get_patient '{}' "$CRED"

# Log out: the EHR server first.
call "$EHR" embedded_storage.remove_auth_info '{}' "$CRED"
call "$AUTH" auth.logout '{}' "$CRED"
