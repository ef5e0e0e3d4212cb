/** Texts of the frame of the page: header, client, people, phone and footer. English, Russian, German. */
export const frameTexts = {
  title: ['The exchange, live', 'Обмен вживую', 'Der Austausch, live'],
  skip: ['Skip to the exchange', 'Перейти к обмену', 'Zum Austausch springen'],
  language: ['Language', 'Язык', 'Sprache'],
  viewLanes: ['Exchange', 'Обмен', 'Austausch'],
  viewControls: ['Controls', 'Управление', 'Steuerung'],
  views: ['Parts of the page', 'Части страницы', 'Teile der Seite'],

  connecting: ['Connecting…', 'Соединение…', 'Verbindung wird hergestellt …'],
  live: ['Three parties, live', 'Три стороны, вживую', 'Drei Parteien, live'],
  saved: ['A saved run, not live', 'Запись, не вживую', 'Eine Aufnahme, nicht live'],
  inPage: [
    'All three parties run in this page, and nothing is sent anywhere.',
    'Все три стороны работают на этой странице, и ничего никуда не отправляется.',
    'Alle drei Parteien laufen in dieser Seite, und nichts wird irgendwohin gesendet.',
  ],
  lost: ['The demo does not answer', 'Демо не отвечает', 'Die Demo antwortet nicht'],
  holdCount: ['clauses hold: {n}', 'пунктов соблюдено: {n}', 'Klauseln erfüllt: {n}'],
  failCount: ['broken: {n}', 'нарушено: {n}', 'verletzt: {n}'],
  privacyNone: [
    'Patient data at the authorization server: none',
    'Данные пациента на сервере авторизации: нет',
    'Patientendaten beim Autorisierungsserver: keine',
  ],
  privacySome: [
    'Patient data reached the authorization server',
    'Данные пациента попали на сервер авторизации',
    'Patientendaten sind beim Autorisierungsserver',
  ],
  seed: ['seed {n}', 'сид {n}', 'Seed {n}'],
  showSecrets: [
    'Show secrets (demo data)',
    'Показать секреты (демо-данные)',
    'Geheimnisse zeigen (Demodaten)',
  ],
  keys: ['Keys', 'Клавиши', 'Tasten'],
  tourButton: ['Why the exchange token?', 'Зачем обменный токен?', 'Wozu das Austauschtoken?'],
  close: ['Close', 'Закрыть', 'Schließen'],
  cancel: ['Cancel', 'Отмена', 'Abbrechen'],

  brokenTitle: [
    'This page cannot be shown',
    'Страница не отображается',
    'Diese Seite lässt sich nicht anzeigen',
  ],
  brokenText: [
    'Another program may have changed it, such as a translator. Please switch that off and reload the page. The demo goes on.',
    'Возможно, её изменила другая программа, например переводчик. Отключите её и обновите страницу. Демо продолжает работу.',
    'Ein anderes Programm hat sie wohl verändert, etwa ein Übersetzer. Bitte schalten Sie es aus, und laden Sie neu. Die Demo läuft weiter.',
  ],
  reload: ['Reload the page', 'Обновить страницу', 'Seite neu laden'],

  people: ['People', 'Люди', 'Personen'],
  peopleHint: [
    'Choose a person: the form below is filled with what they would type.',
    'Выберите человека: форма ниже заполнится тем, что он ввёл бы.',
    'Wählen Sie eine Person: Das Formular unten wird mit ihren Eingaben gefüllt.',
  ],
  fillForm: ['Fill the form', 'Заполнить форму', 'Formular ausfüllen'],
  filled: ['Filled.', 'Заполнено.', 'Ausgefüllt.'],
  nothingToFill: [
    'The client shows no form to fill now.',
    'Сейчас у клиента нет формы для заполнения.',
    'Der Client zeigt gerade kein Formular.',
  ],
  clientFrame: [
    'The client, as a patient sees it',
    'Клиент, как его видит пациент',
    'Der Client aus Sicht des Patienten',
  ],
  ownWindow: ['own window', 'отдельное окно', 'eigenes Fenster'],
  ownClient: ['your own client', 'свой клиент', 'eigener Client'],
  ownClientText: [
    'Scan it, or give these addresses to a client of your own. All messages then pass the lanes.',
    'Отсканируйте код или укажите эти адреса своему клиенту. Все сообщения пройдут через дорожки.',
    'Scannen Sie den Code, oder geben Sie Ihrem Client diese Adressen. Alle Nachrichten laufen dann hier durch.',
  ],
  addressAuth: ['Authorization server', 'Сервер авторизации', 'Autorisierungsserver'],
  phone: ['Messages to the phone', 'Сообщения на телефон', 'Nachrichten an das Telefon'],
  phoneNone: ['No message yet.', 'Сообщений пока нет.', 'Noch keine Nachricht.'],
  fillCode: ['Fill in', 'Вставить', 'Eintragen'],
  fillCodeOf: ['Fill in the code {code}', 'Вставить код {code}', 'Code {code} eintragen'],
} as const satisfies Record<string, readonly [string, string, string]>;
