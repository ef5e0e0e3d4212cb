/** What the interface requires of each method, in Russian and German; English comes from the console. */
export const clauseTexts: Readonly<Record<string, readonly [russian: string, german: string]>> = {
  'embedded_storage.save_auth_info': [
    'Сохраняет сеанс пользователя, который уже связан с пациентом, или записывает сеанс, открытый authenticate.',
    'Speichert die Sitzung einer Person, die schon mit einer Akte verknüpft ist, oder vermerkt die Sitzung, die authenticate geöffnet hat.',
  ],
  'embedded_storage.save_exchange_token': [
    'Запоминает на десять минут обменный токен, привязанный к сеансу, который он откроет.',
    'Merkt sich für zehn Minuten ein Austauschtoken, gebunden an die Sitzung, die es öffnen wird.',
  ],
  'embedded_storage.authenticate': [
    'Связывает пользователя обменного токена с пациентом, на которого указывают данные, и открывает сеанс.',
    'Verknüpft die Person des Austauschtokens mit der Akte, die zu den Angaben passt, und öffnet die Sitzung.',
  ],
  'patient.get_patient': [
    'Возвращает владельцу сеанса данные пациента и подпись пользователя.',
    'Gibt dem Inhaber einer Sitzung die Patientendaten und die Signatur der Person zurück.',
  ],
  'embedded_storage.remove_auth_info': [
    'Выход: удаляет только этот сеанс. Связь с пациентом остаётся.',
    'Abmeldung: entfernt nur diese eine Sitzung. Die Verknüpfung mit der Akte bleibt.',
  ],
  'embedded_storage.remove_authentication': [
    'Отключает ЭМК: удаляет связь, подпись и все сеансы пользователя.',
    'Trennt die Akte: entfernt die Verknüpfung, die Signatur und alle Sitzungen der Person.',
  ],
  'rpc.discover': [
    'Описывает этот сервис документом OpenRPC.',
    'Beschreibt diesen Dienst als OpenRPC-Dokument.',
  ],
  'auth.request_otp': [
    'Отправляет одноразовый код на телефон или почту. Известным и неизвестным отвечает одинаково.',
    'Sendet einen Einmalcode an Telefon oder E-Mail-Adresse. Bekannte und unbekannte werden gleich beantwortet.',
  ],
  'auth.confirm_otp': [
    'Кодом подтверждает владение и открывает сеанс. С известным user_sign сеанс сразу сохраняется на сервере ЭМК.',
    'Bestätigt mit dem Code den Besitz und öffnet eine Sitzung. Mit bekanntem user_sign wird sie sofort beim EHR-Server gespeichert.',
  ],
  'auth.exchange_token': [
    'Создаёт обменный токен, сохраняет его на сервере ЭМК и затем отдаёт клиенту.',
    'Erzeugt ein Austauschtoken, speichert es beim EHR-Server und gibt es dann dem Client.',
  ],
  'auth.report_link': [
    'Сообщает, что сервер ЭМК связал пользователя: user_sign сохраняется, а сеанс записывается на сервере ЭМК.',
    'Meldet, dass der EHR-Server die Person verknüpft hat: Das user_sign wird behalten und die Sitzung beim EHR-Server vermerkt.',
  ],
  'auth.logout': [
    'Завершает этот сеанс. Клиент вызывает его только после того, как сеанс удалил сервер ЭМК.',
    'Beendet diese Sitzung. Der Client ruft es erst auf, nachdem der EHR-Server die Sitzung entfernt hat.',
  ],
  'auth.delete_user': [
    'Удаляет данные пользователя здесь: сеансы, запись соответствия, user_sign. Сначала отключается сервер ЭМК.',
    'Löscht die Daten der Person hier: Sitzungen, Zuordnung, user_sign. Zuerst wird der EHR-Server getrennt.',
  ],
  'auth.login': [
    'Открывает сеанс вовсе без кода. Есть только с флагом --allow-test-login.',
    'Öffnet eine Sitzung ganz ohne Code. Nur mit --allow-test-login vorhanden.',
  ],
};
