/**
 * A self-signed certificate for localhost and 127.0.0.1, valid until 2099, that no party has a reason to
 * trust. The kit shows it to see whether a party accepts it. Its key is public, so it protects nothing. It has
 * a file of its own because flows run in a browser too.
 */
export const FOREIGN_CERTIFICATE = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBvTCCAWSgAwIBAgIJZ4OmKwh9Or8mMAoGCCqGSM49BAMCMDUxMzAxBgNVBAMT
KkZvcmVpZ24gY2VydGlmaWNhdGUgb2YgdGhlIGNvbmZvcm1hbmNlIGtpdDAgFw0y
MDAxMDEwMDAwMDBaGA8yMDk5MDEwMTAwMDAwMFowNTEzMDEGA1UEAxMqRm9yZWln
biBjZXJ0aWZpY2F0ZSBvZiB0aGUgY29uZm9ybWFuY2Uga2l0MFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEexHufdN2LIJFKgL3vU6dF42fN3QJ6Cbf/xLOY6YviGqE
miqsUvXpQaDkYpOIMkoQZdQqTH6THR35nja/UL9Cf6NbMFkwDAYDVR0TAQH/BAIw
ADAOBgNVHQ8BAf8EBAMCB4AwHQYDVR0lBBYwFAYIKwYBBQUHAwEGCCsGAQUFBwMC
MBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAKBggqhkjOPQQDAgNHADBEAiBb
YUC8/B8YQB3O+MIXDYNVP886Qet2irQSHaGi7ityYAIgQyNnb8VKccSxnz91jTvl
RHCCD/pZryfQmKMzrTqvWtc=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5foGo5K4ybo8bmxw
Mc2ArbFlCbJorCIyC4/sJPcZkYGhRANCAAR7Ee5903YsgkUqAve9Tp0XjZ83dAno
Jt//Es5jpi+IaoSaKqxS9elBoORik4gyShBl1CpMfpMdHfmeNr9Qv0J/
-----END PRIVATE KEY-----
`,
} as const;
