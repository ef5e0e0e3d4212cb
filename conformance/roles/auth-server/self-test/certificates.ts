/** Certificates of the self-test, valid until 2099, and their uses. They protect nothing: the keys are here. */
import type { ServerTls } from '../../../engine/wire/tls-side.ts';

/** How a variant verifies the certificate of the EHR server: rightly, or with one gap. */
export type TlsVariant = 'checked' | 'authority-not-checked' | 'name-not-checked';

export const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBZjCCAQygAwIBAgIJBxnE92gER/QnMAoGCCqGSM49BAMCMCUxIzAhBgNVBAMT
GkF1dGhvcml0eSBvZiB0aGUgc2VsZi10ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIw
OTkwMTAxMDAwMDAwWjAlMSMwIQYDVQQDExpBdXRob3JpdHkgb2YgdGhlIHNlbGYt
dGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNookCuE0auXAmvQqo6PNRbB
if3sBmnqfCFebJlHMajDMEmi0+9KyaHigmdAbN7qhg0L//mRxelT7VzW9N27Joqj
IzAhMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMC
A0gAMEUCIQDe0yb/ChtdqeuBnPI2LyH+ZFDnd14YZJ0ehB8TPaPPnQIgHGnLwvjt
YQMKGE/y8aWKseHShd9BgMJR5ENLFgtZmDo=
-----END CERTIFICATE-----
`;

const SERVER = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBizCCATCgAwIBAgIJQg4UYKguFwPhMAoGCCqGSM49BAMCMCUxIzAhBgNVBAMT
GkF1dGhvcml0eSBvZiB0aGUgc2VsZi10ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIw
OTkwMTAxMDAwMDAwWjARMQ8wDQYDVQQDEwZzZXJ2ZXIwWTATBgcqhkjOPQIBBggq
hkjOPQMBBwNCAAQTvRd4DGIQLjkx1Roerp8Vu7zWq6MBspv7yZ1s5/WatVx/d7fx
hcyaTsQVs6puDz8SOnn+CZyPd1eUiGZ5NW38o1swWTAMBgNVHRMBAf8EAjAAMA4G
A1UdDwEB/wQEAwIHgDAdBgNVHSUEFjAUBggrBgEFBQcDAQYIKwYBBQUHAwIwGgYD
VR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMAoGCCqGSM49BAMCA0kAMEYCIQDaZnBT
FVKhE7/QuiNtoD8IzecO23X/L9YBZgoO0mr7UwIhAMDhkeDWl/hf4CSqqyu2eMWq
AcwYh4hJmuUqH6KlRYii
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7sIGIFAXyjagLWbT
12kIDe0Z2PBPOZ5f3zMvrEWqV02hRANCAAQTvRd4DGIQLjkx1Roerp8Vu7zWq6MB
spv7yZ1s5/WatVx/d7fxhcyaTsQVs6puDz8SOnn+CZyPd1eUiGZ5NW38
-----END PRIVATE KEY-----
`,
} as const;

/** For another host: who checks the name breaks off. */
const OTHER_NAME = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBkDCCATagAwIBAgIJHXHum/JBdOSiMAoGCCqGSM49BAMCMCUxIzAhBgNVBAMT
GkF1dGhvcml0eSBvZiB0aGUgc2VsZi10ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIw
OTkwMTAxMDAwMDAwWjAVMRMwEQYDVQQDEwpvdGhlciBuYW1lMFkwEwYHKoZIzj0C
AQYIKoZIzj0DAQcDQgAEEzJpB4jq9rjnCLUlDPSAw0688N75rdUbFIPmlwcPUdx0
XzT+iademUDYWUKwYomzh/oIguGoFS35cYOyKwdOeqNdMFswDAYDVR0TAQH/BAIw
ADAOBgNVHQ8BAf8EBAMCB4AwHQYDVR0lBBYwFAYIKwYBBQUHAwEGCCsGAQUFBwMC
MBwGA1UdEQQVMBOCEWVsc2V3aGVyZS5leGFtcGxlMAoGCCqGSM49BAMCA0gAMEUC
IQD0hYQNOcepu5tjwp8QUl/Ib1W/CnghleONY+Yg0mGmOgIgOeiloZal6B+e1otg
5zWXHRt3jc4tSwgQMgPjKF2C3Dc=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxEItk0dKNqcoeHfa
+qiFcdDtD2UbNKTboKLIsOHSwWmhRANCAAQTMmkHiOr2uOcItSUM9IDDTrzw3vmt
1RsUg+aXBw9R3HRfNP6Jp16ZQNhZQrBiibOH+giC4agVLflxg7IrB056
-----END PRIVATE KEY-----
`,
} as const;

/** The certificate that an authorization server shows to the EHR server. */
export const CLIENT = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBgjCCASegAwIBAgIJRoLnPO9KZ6sTMAoGCCqGSM49BAMCMCUxIzAhBgNVBAMT
GkF1dGhvcml0eSBvZiB0aGUgc2VsZi10ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIw
OTkwMTAxMDAwMDAwWjARMQ8wDQYDVQQDEwZjbGllbnQwWTATBgcqhkjOPQIBBggq
hkjOPQMBBwNCAASWAGFlO7JsxPHnneAShu/Wt/KXzLBaqLas34ubUhICAcnRxEz0
UkQ8nhyZ5rg3eaDjKNuBezZEcVCEc2x4fxFBo1IwUDAMBgNVHRMBAf8EAjAAMA4G
A1UdDwEB/wQEAwIHgDAdBgNVHSUEFjAUBggrBgEFBQcDAQYIKwYBBQUHAwIwEQYD
VR0RBAowCIIGY2xpZW50MAoGCCqGSM49BAMCA0kAMEYCIQDYGkP6RucILluN7V3O
esW9wNxFKgl8OI9cpsEYg/X8QgIhALdV2q78cE1H/6d3+zTPEzkPIlbpvjnX991p
wbjExUBJ
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+Gp9f75I5P9sv+hj
HAsb7qD+wTj9zBx/cxgwfRf1YS6hRANCAASWAGFlO7JsxPHnneAShu/Wt/KXzLBa
qLas34ubUhICAcnRxEz0UkQ8nhyZ5rg3eaDjKNuBezZEcVCEc2x4fxFB
-----END PRIVATE KEY-----
`,
} as const;

export const SELF_TEST_TLS: ServerTls = { ...SERVER, clientCa: AUTHORITY, otherName: OTHER_NAME };

export function connectionOf(variant: TlsVariant) {
  const right = { ca: AUTHORITY, ...CLIENT };
  if (variant === 'authority-not-checked') return { ...right, rejectUnauthorized: false };
  return variant === 'name-not-checked' ? { ...right, checkServerIdentity: () => undefined } : right;
}
