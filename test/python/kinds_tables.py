# SPDX-FileCopyrightText: the microtet authors
# SPDX-License-Identifier: Apache-2.0
"""Tables as pandas and NumPy write them, and texts in the formats that the manuals of R and of loggers describe."""
import numpy as np
import pandas as pd
from kinds import kind

NAN = float("nan")
TIMES = pd.date_range("2024-01-01", periods=4, freq="10min")


def put(path, text, encoding="utf-8"):
    with open(path, "wb") as file:
        file.write(text.encode(encoding))


def words(*texts):
    return np.array(texts, object)


def seconds(*texts):
    return np.array(texts, "M8[s]")


def table(writer, what, path, *options, **more):
    return kind("CSV" if path.lower().endswith(".csv") else "text table", writer, what, path, *options, wheel=False, **more)


def frame():
    return pd.DataFrame({"t": TIMES, "i": [1, -2, 300, 4], "f": [1.5, NAN, -1e-7, 2], "s": ["a", None, "b,c", 'say "hi"\nnow'],
                         "ok": [True, False, True, True]})


# ---- pandas

@table("pandas", "times, NaN, quoted line ends, truth values", "a.csv", "--times", "t=s")
def _():
    frame().to_csv("a.csv", index=False)
    return {"t": TIMES.values.astype("M8[s]"), "i": frame().i.values, "f": frame().f.values, "s": frame().s.values,
            "ok": words("True", "False", "True", "True")}


@table("pandas", "an index of times with a zone", "a.csv", "--times", "when=s")
def _():
    frame().set_index(pd.Index(TIMES.tz_localize("Europe/Berlin"), name="when"))[["i", "f"]].to_csv("a.csv")
    return {"when": (TIMES - pd.Timedelta("1h")).values.astype("M8[s]"), "i": frame().i.values, "f": frame().f.values}


@table("pandas", "semicolons and decimal commas, byte order mark", "a.csv")
def _():
    frame()[["i", "f"]].to_csv("a.csv", sep=";", decimal=",", index=False, encoding="utf-8-sig")
    return {"i": frame().i.values, "f": frame().f.values}


@table("pandas", "UTF-16, tabs, called .txt", "a.txt", "--separator", "tab", "--times", "t=s", first=[])
def _():
    frame()[["t", "f"]].to_csv("a.txt", sep="\t", index=False, encoding="utf-16")
    return {"t": TIMES.values.astype("M8[s]"), "f": frame().f.values}


@table("pandas", "columns of the same name", "a.csv")
def _():
    pd.DataFrame([[1, 2, 3], [4, 5, 6]], columns=["a", "a", "b"]).to_csv("a.csv", index=False)
    read = pd.read_csv("a.csv")
    return {name: read[name].values for name in ("a", "a.1", "b")}


@table("pandas", "two lines of names (MultiIndex)", "a.csv", "--skip-after", "1", first=[])
def _():
    pd.DataFrame([[1.5, 2], [3, 4]], columns=pd.MultiIndex.from_tuples([("t", "in"), ("t", "out")])).to_csv("a.csv", index=False)
    return {"t": [1.5, 3], "t.1": [2, 4]}


@table("pandas", "integers beyond 2^53 with a gap", "a.csv", "--fill", "-1", first=[])
def _():
    pd.DataFrame({"n": pd.array([2**62 + 1, None, -5], "Int64"), "m": [1, 2, 3]}).to_csv("a.csv", index=False)
    return {"n": np.array([2**62 + 1, -1, -5]), "m": [1, 2, 3]}


@table("pandas", "categories and nanoseconds", "a.csv", "--times", "t=ns")
def _():
    t = pd.to_datetime([1704067200123456789, 1704067200000000001])
    pd.DataFrame({"c": pd.Categorical(["low", "high"]), "t": t}).to_csv("a.csv", index=False)
    return {"c": words("low", "high"), "t": t.values}


@table("pandas", "names only", "a.csv")
def _():
    frame()[["i"]].iloc[:0].to_csv("a.csv", index=False)
    return {"i": np.zeros(0)}


# ---- NumPy

@table("NumPy, savetxt", "blanks, names in a comment", "a.txt", "--separator", "blank", first=[])
def _():
    np.savetxt("a.txt", [[1, 2.5], [3, 4.5]], header="x y")
    return {"x": [1, 3], "y": [2.5, 4.5]}


@table("NumPy, savetxt", "commas, complex columns left out", "a.csv")
def _():
    np.savetxt("a.csv", [[1, 2.5], [3, NAN]], delimiter=",", fmt="%g")
    return {"column1": [1, 3], "column2": [2.5, NAN]}


# ---- R, from its manual: ?write.table

@table("R, write.csv", "names of rows, NA, TRUE, factors, dates", "a.csv", "--times", "time=d")
def _():
    put("a.csv", '"","time","x","ok","f"\n"1",2024-01-01,1.5,TRUE,"a"\n"2",2024-01-02,NA,FALSE,NA\n"3",2024-01-03,1e-05,NA,"b"\n')
    return {"column1": [1, 2, 3], "time": np.array(["2024-01-01", "2024-01-02", "2024-01-03"], "M8[D]"), "x": [1.5, NAN, 1e-5],
            "f": words("a", "NA", "b")}


@table("R, write.csv2", "semicolons, decimal commas", "a.csv", "--times", "time=s")
def _():
    put("a.csv", '"";"time";"x"\n"1";"2024-01-01 00:00:00";1,5\n"2";"2024-01-01 01:00:00";-2,25\n')
    return {"time": seconds("2024-01-01T00:00", "2024-01-01T01:00"), "x": [1.5, -2.25]}


@table("R, write.table", "one name less than there are columns", "a.csv")
def _():
    put("a.csv", '"x","y"\n"r1",1,2.5\n"r2",3,NA\n')
    return {"column1": words("r1", "r2"), "x": [1, 3], "y": [2.5, NAN]}


@table("R, write.table", "blanks, called .txt", "a.txt", "--separator", "blank", first=[])
def _():
    put("a.txt", '"x" "y"\n1 2.5\n3 NA\n')
    return {"x": [1, 3], "y": [2.5, NAN]}


# ---- loggers, from their manuals

TOA5 = ('"TOA5","CR1000X","CR1000X","1234","CR1000X.Std.03.02","CPU:w.CR1X","50124","Hourly"\r\n'
        '"TIMESTAMP","RECORD","BattV_Avg","AirTC_Avg","RH"\r\n"TS","RN","Volts","Deg C","%"\r\n"","","Avg","Avg","Smp"\r\n'
        '"2024-01-01 00:10:00",0,12.61,1.5,88.1\r\n"2024-01-01 00:20:00",1,12.6,"NAN",88\r\n')


@table("Campbell, TOA5", "four lines of names and units, called .dat", "a.dat", "--skip", "1", "--units", "--skip-after", "1",
       "--times", "TIMESTAMP=s", first=[])
def _():
    put("a.dat", TOA5)
    return {"TIMESTAMP": seconds("2024-01-01T00:10", "2024-01-01T00:20"), "RECORD": [0, 1],
            "AirTC_Avg": {"values": [1.5, NAN], "attrs": {"units": "Deg C"}}, "RH": [88.1, 88]}


@table("Campbell, TOA5", "as many fields in its first line as columns", "a.csv", "--skip", "1", "--units", "--skip-after", "1",
       "--times", "TIMESTAMP=s", first=[])
def _():
    put("a.csv", TOA5.replace(',"RH"', ',"RH","a","b","c"').replace(',"%"', ',"%","","",""').replace(',"Smp"', ',"Smp","","",""')
        .replace(",88.1\r", ",88.1,1,2,3\r").replace(",88\r", ",88,1,2,3\r"))
    return {"TIMESTAMP": seconds("2024-01-01T00:10", "2024-01-01T00:20"), "AirTC_Avg": [1.5, NAN], "c": [3, 3]}


@table("Onset, HOBO", "a title, 12-hour clock, columns of events", "a.csv", "--skip", "1", "--times", "Date Time, GMT-05:00=s",
       "--time-format", "%m/%d/%y %I:%M:%S %p", first=[])
def _():
    put("a.csv", '\ufeff"Plot Title: 10347366"\r\n"#","Date Time, GMT-05:00","Temp, °C (LGR S/N: 10347366, SEN S/N: 10347366)","Intensity, Lux",'
        '"Coupler Attached (LGR S/N: 10347366)"\r\n1,07/01/14 12:00:00 AM,21.187,0.0,\r\n2,07/01/14 12:10:00 AM,21.091,10.8,\r\n'
        '3,07/01/14 01:20:00 PM,,,Logged\r\n')
    return {"#": [1, 2, 3], "Date Time, GMT-05:00": seconds("2014-07-01T00:00", "2014-07-01T00:10", "2014-07-01T13:20"),
            "Temp, °C (LGR S/N: 10347366, SEN S/N: 10347366)": [21.187, 21.091, NAN],
            "Coupler Attached (LGR S/N: 10347366)": words(None, None, "Logged")}


@table("Davis, WeatherLink", "two lines of names, tabs, called .txt", "a.txt", "--separator", "tab", "--units",
       "--times", "column1=s", "--time-format", "%m/%d/%y", first=[])
def _():
    put("a.txt", "\t\tTemp\tHi\tWind\tWind\t\r\nDate\tTime\tOut\tTemp\tSpeed\tDir\tBar\r\n01/02/24\t12:30a\t45.1\t45.2\t3.0\tNNW\t30.01\r\n"
        "01/02/24\t 1:00a\t45.0\t45.1\t2.0\tN\t30.00\r\n")
    return {"column1": seconds("2024-01-02", "2024-01-02"), "Temp": {"values": [45.1, 45.0], "attrs": {"units": "Out"}}, "Wind": [3, 2],
            "Wind.1": words("NNW", "N"), "column7": {"values": [30.01, 30], "attrs": {"units": "Bar"}}}


@table("LI-COR, LI-820", "a head of XML, blanks, called .txt", "a.txt", "--separator", "blank", "--skip", "2", first=[])
def _():
    put("a.txt", "(03 Nov 23 10:22:33)\n<li820><tz>UTC</tz></li820>\nTime(H:M:S) CO2(ppm) H2O(ppt)\n10:22:34 400.12 8.1\n10:22:35 400.20 8.2\n")
    return {"Time(H:M:S)": words("10:22:34", "10:22:35"), "CO2(ppm)": [400.12, 400.2], "H2O(ppt)": [8.1, 8.2]}


@table("LI-COR, LI-7500", "seven lines of a head, tabs, called .data", "a.data", "--separator", "tab", "--skip", "7", first=[])
def _():
    put("a.data", "Model:\tLI-7500DS\nSN:\tAIU-1234\nInstrument:\tAIU-1\nFile Type:\t2\nSoftware Version:\t8.8.0\nTimestamp:\t10:00:00\nTimezone:\tGMT\n"
        "DATAH\tSeconds\tNanoseconds\tDate\tCO2 (mmol/m^3)\nDATA\t1700000000\t50000000\t2023-11-14\t15.1\nDATA\t1700000000\t150000000\t2023-11-14\t15.2\n")
    return {"Seconds": [1700000000] * 2, "Nanoseconds": [50000000, 150000000], "CO2 (mmol/m^3)": [15.1, 15.2], "DATAH": words("DATA", "DATA")}


@table("GPX to CSV, Garmin", "track points with a time in Zulu", "a.csv", "--times", "time=ms")
def _():
    put("a.csv", "ID,trksegID,lat,lon,ele,time,hr\n1,1,47.64,-122.32,4.46,2009-10-17T18:37:26Z,\n2,1,47.65,-122.33,4.94,2009-10-17T18:37:31.5Z,95\n")
    return {"lat": [47.64, 47.65], "lon": [-122.32, -122.33], "hr": [NAN, 95], "time": np.array(["2009-10-17T18:37:26", "2009-10-17T18:37:31.5"], "M8[ms]")}


@table("Garmin Connect", "laps with a line of sums", "a.csv", "--comment", "Summary", first=[])
def _():
    put("a.csv", "Laps,Time,Distance\n1,5:01.2,1.00\n2,4:59,1.00\nSummary,10:00.2,2.00\n")
    return {"Laps": [1, 2], "Distance": [1, 1], "Time": words("5:01.2", "4:59")}


@table("Arduino", "a serial log: two lines of text, nan, restarted, cut off", "a.log", "--comment", "4000,2", first=["--separator", ",", "--skip", "2"])
def _():
    put("a.log", "Adafruit BME280 test\r\nDefault Test\r\nmillis,tempC,hum\r\n1000,21.50,45\r\n2000,nan,46\r\nmillis,tempC,hum\r\n3000,21.52,45\r\n4000,2")
    return {"millis": [1000, 2000, 3000], "tempC": [21.5, NAN, 21.52], "hum": [45, 46, 45]}


@table("Arduino IDE", "a serial log with the monitor's times", "a.log", "--separator", "blank", "--no-header", first=[])
def _():
    put("a.log", "12:01:02.123 -> 21.50\n12:01:03.124 -> 21.52\n")
    return {"column1": words("12:01:02.123", "12:01:03.124"), "column3": [21.5, 21.52]}


@table("Arduino", "names before values, as its plotter takes them", "a.csv", "--strip", "temp:,hum:", "--no-header")
def _():
    put("a.csv", "temp:21.5,hum:45\ntemp:21.6,hum:44\n")
    return {"column1": [21.5, 21.6], "column2": [45, 44]}


@table("weather archive of AWS", "all in quotation marks, composite fields", "a.csv", "--drop", "TMP", first=[])
def _():
    put("a.csv", 'STATION,DATE,LATITUDE,NAME,TMP\n"72530094846","2023-01-01T00:51:00","41.995","CHICAGO OHARE, IL US","+0056,5"\n'
        '"72530094846","2023-01-01T01:51:00","41.995","CHICAGO OHARE, IL US","+0050,5"\n')
    return {"STATION": [72530094846] * 2, "LATITUDE": [41.995] * 2, "NAME": words(*["CHICAGO OHARE, IL US"] * 2)}


INFLUX = ("#group,false,false,true,true,false,false,true\n#datatype,string,long,dateTime:RFC3339,dateTime:RFC3339,dateTime:RFC3339,double,string\n"
          "#default,_result,,,,,,\n,result,table,_start,_stop,_time,_value,_field\n,,0,2024-01-01T00:00:00Z,2024-01-02T00:00:00Z,2024-01-01T00:00:10.5Z,21.5,temp\n"
          ",,0,2024-01-01T00:00:00Z,2024-01-02T00:00:00Z,2024-01-01T00:00:20Z,21.6,temp\n\n")


@table("InfluxDB", "annotations, two tables", "a.csv", "--times", "_time=ms")
def _():
    put("a.csv", INFLUX + INFLUX.replace("temp", "hum"))
    return {"_time": np.array(["2024-01-01T00:00:10.5", "2024-01-01T00:00:20"] * 2, "M8[ms]"), "_value": [21.5, 21.6] * 2, "table": [0] * 4,
            "_field": words("temp", "temp", "hum", "hum")}


@table("Excel, in Germany", "a line sep=, decimal commas, dates", "a.csv", "--times", "Datum=d", "--time-format", "%d.%m.%Y")
def _():
    put("a.csv", "sep=;\r\nDatum;Wert\r\n31.12.2023;-1,5\r\n01.01.2024;2\r\n")
    return {"Datum": np.array(["2023-12-31", "2024-01-01"], "M8[D]"), "Wert": [-1.5, 2]}


@table("Excel, in Germany", "signs of thousands", "a.csv", "--thousands", ".", first=[])
def _():
    put("a.csv", "n;Wert\r\n1;1.234,5\r\n2;999,0\r\n")
    return {"Wert": [1234.5, 999]}


@table("Excel", "UTF-16 from \"Unicode text\"", "a.txt", "--separator", "tab", first=[])
def _():
    put("a.txt", "Zeit\tWert °C\r\n1\t1,5\r\n2\t-3\r\n", "utf-16")
    return {"Zeit": [1, 2], "Wert °C": [1.5, -3]}


@table("Excel", "errors in cells, a name in capitals", "LOG.CSV")
def _():
    put("LOG.CSV", "a,b\n1.5,1\n#DIV/0!,2\n#N/A,3\n#VALUE!,4\n")
    return {"a": [1.5, NAN, NAN, NAN], "b": [1, 2, 3, 4]}


@table("Excel", "Windows-1252", "a.csv")
def _():
    put("a.csv", "Temp °C;n\n1,5;2\n", "cp1252")


@table("a spreadsheet of prices", "currency and thousands", "a.csv", "--thousands", ",", first=[])
def _():
    put("a.csv", 'n,Close\n1,"4,742.83"\n2,"12,704.81"\n')
    return {"Close": [4742.83, 12704.81]}


@table("air quality", "below the limit of detection", "a.csv", "--strip", "<", first=[])
def _():
    put("a.csv", "station;co;no2\nA;<0.5;12\nA;0.7;13\n")
    return {"co": [0.5, 0.7], "no2": [12, 13]}


@table("a database", "a footer", "a.csv", "--comment", "Total: 2 rows", first=[])
def _():
    put("a.csv", "a,b\n1,2\n3,4\nTotal: 2 rows\n")
    return {"a": [1, 3], "b": [2, 4]}


@table("a database", "vertical bars, called .psv", "a.psv", "--separator", "|", first=[])
def _():
    put("a.psv", "a|b\n1|x\n3|y\n")
    return {"a": [1, 3], "b": words("x", "y")}


@table("any", "rows that end with a separator", "a.csv")
def _():
    put("a.csv", "a,b\n1,2,\n3,4,\n")
    return {"a": [1, 3], "b": [2, 4]}


@table("any", "many times in the form of the United States", "a.csv", "--times", "Time=s", "--time-format", "%m/%d/%Y %I:%M %p", first=[])
def _():
    times = pd.date_range("2024-01-02 13:05", periods=200, freq="min")
    pd.DataFrame({"Time": times.strftime("%m/%d/%Y %I:%M %p"), "v": range(200)}).to_csv("a.csv", index=False)
    return {"Time": times.values.astype("M8[s]"), "v": np.arange(200)}


# ---- parquet, xlsx

@kind("parquet", "pandas", "times with a zone, missing integers, categories, an index", "a.parquet")
def _():
    data = pd.DataFrame({"t": TIMES.tz_localize("UTC"), "n": pd.array([1, None, 3, 4], "Int16"), "c": pd.Categorical(["x", "y", None, "x"]), "f": frame().f.values},
                        index=pd.Index([5, 4, 3, 2], name="id"))
    data.to_parquet("a.parquet")
    return {"t": TIMES.values.astype("M8[m]"), "n": {"values": [1, -2**15, 3, 4], "attrs": {"_FillValue": "-32768"}}, "c": words("x", "y", None, "x"),
            "f": {"values": frame().f.values, "dims": ["id"], "labels": {"id": ["5", "4", "3", "2"]}}}


@kind("xlsx", "pandas", "two sheets, dates, texts, empty cells", "a.xlsx")
def _():
    with pd.ExcelWriter("a.xlsx") as book:
        frame()[["t", "f", "s"]].to_excel(book, sheet_name="one", index=False)
        frame()[["i"]].to_excel(book, sheet_name="two", index=False)
    read = pd.read_excel("a.xlsx", sheet_name="one")
    return {"one/t": TIMES.values.astype("M8[s]"), "one/f": frame().f.values, "one/s": read.s.values.astype(object), "two/i": frame().i.values}
